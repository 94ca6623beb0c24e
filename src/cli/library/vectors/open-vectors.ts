import { isAbsolute } from 'node:path'
import { PipeError } from '../../../error.ts'
import type { VectorStore } from '../../../memory/vector-store.ts'
import { readMachine } from '../../host.ts'

export interface OpenVectorOptions {
  /** The embedder's model, `provider/model`. Vectors of another one do not count, and the next write drops them. */
  readonly model: string
  /** Absolute folder, created on demand for its owner alone. Either this or `postgres`. */
  readonly file?: string
  /** URL of a database with the extension `vector`, which several machines share. Passwords may stand in `.pgpass`. */
  readonly postgres?: string
  /** Keeps these vectors apart from others in the database. Default: `library`. */
  readonly collection?: string
  /** Says where `.pgpass` is, as `HOME` and `PGPASSFILE` do. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Opens vectors in files, where a search compares the query with each of them, or in a database. Reads and writes nothing until it is used.
 * The caller closes it. Throws `usage` unless one of both places is named, and `config` for a malformed URL.
 */
export async function openVectorStore({
  model,
  file,
  postgres,
  collection = 'library',
  env = process.env,
}: OpenVectorOptions): Promise<VectorStore> {
  const machine = readMachine(env)
  const { newId, clock, pid, hostname: host } = machine
  if ((file === undefined) === (postgres === undefined))
    throw new PipeError('usage', 'openVectorStore: name one place, file or postgres')
  if (postgres !== undefined) {
    const { passwordFile } = await import('../../wiring/tasks/task-store.ts')
    const { openVectorDatabase } = await import('../../../postgres/vector-database.ts')
    const place = { url: postgres, passwordFile: passwordFile(machine), collection }
    return openVectorDatabase({ ...place, clock, newId, model })
  }
  if (file === undefined || !isAbsolute(file))
    throw new PipeError('usage', `openVectorStore: file must be absolute, not ${file}`)
  const { createVectorStore } = await import('../../../vectors/vector-store.ts')
  return createVectorStore({ folder: file, model, newId, clock, pid, host })
}
