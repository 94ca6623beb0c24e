import type { WorkBundles } from '../event-store.ts'
import type { Database } from './database.ts'
import type { Schema } from './database-schema.ts'

/** Bytes of a row. The driver needs several times as much memory for each. */
const partSize = 4 * 1024 * 1024
/** Bytes that hold the list of refs in a bundle. */
const startSize = 4_096

/** Creates a store of bundles in the table `pipe.bundles`, in parts. A bundle is replaced as a whole. */
export function createWorkBundles({
  database,
  schema,
  ending = '',
}: {
  readonly database: Database
  readonly schema: Schema
  /** Follows the id of the task, for what is kept beside its work. */
  readonly ending?: string
}): WorkBundles {
  const remove = 'delete from pipe.bundles where task_id = $1'
  return {
    put: async (id, bundle, options) => {
      const taskId = id + ending
      await schema.ensure(options)
      await database.transaction(async (query) => {
        await query(remove, [taskId])
        const parts = Math.max(1, Math.ceil(bundle.length / partSize))
        for (let i = 0; i < parts; i++) {
          const part = Buffer.from(bundle.subarray(i * partSize, (i + 1) * partSize))
          await query('insert into pipe.bundles (task_id, part, bytes) values ($1, $2, $3)', [
            taskId,
            i,
            part,
          ])
        }
      }, options)
    },
    get: async (id, options) => {
      if (!(await schema.isThere(options))) return undefined
      return database.transaction(async (query) => {
        const taskId = id + ending
        // All parts are of one bundle, although another may replace it meanwhile.
        await query('set transaction isolation level repeatable read, read only')
        const parts: Buffer[] = []
        for (;;) {
          const [row] = await query<{ bytes: Buffer }>(
            'select bytes from pipe.bundles where task_id = $1 and part = $2',
            [taskId, parts.length],
          )
          if (row === undefined) return parts.length === 0 ? undefined : Buffer.concat(parts)
          parts.push(row.bytes)
        }
      }, options)
    },
    start: async (id, options) => {
      if (!(await schema.isThere(options))) return undefined
      const [row] = await database.read<{ bytes: Buffer }>(
        `select substring(bytes from 1 for ${startSize}) as bytes from pipe.bundles where task_id = $1 and part = 0`,
        [id + ending],
        options,
      )
      return row?.bytes
    },
    remove: async (id, options) => {
      if (await schema.isThere(options)) await database.write(remove, [id + ending], options)
    },
  }
}
