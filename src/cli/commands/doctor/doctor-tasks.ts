import type { Directories } from '../../../config/directories.ts'
import { hasCode, isPipeError } from '../../../error.ts'
import type { DatabaseState } from '../../../postgres/task-database.ts'
import type { Machine } from '../../machine.ts'
import { findTaskStore } from '../../wiring/tasks/task-store.ts'
import { answerInTime, limitMs } from './answer-in-time.ts'
import { broken, type Checkup } from './checkup.ts'

const name = 'tasks'

/**
 * Checks where tasks are kept: in files, or in a database that answers and has a schema that this program knows. Finds nothing if the
 * settings cannot be read, which is reported elsewhere.
 */
export async function checkTasks(
  machine: Machine,
  { tasks: directory }: Directories,
  signal: AbortSignal,
): Promise<readonly Checkup[]> {
  const url = await findTaskStore(machine).catch((error) => {
    if (!hasCode(error, 'config')) throw error
    return error
  })
  if (isPipeError(url)) return []
  if (url === undefined) return [{ name, state: 'ok', text: `files in ${directory}` }]
  try {
    return [await checkDatabase(machine, url, signal)]
  } catch (error) {
    return [broken(name, error)]
  }
}

async function checkDatabase(machine: Machine, url: string, signal: AbortSignal): Promise<Checkup> {
  const { openSharedTasks } = await import('../../wiring/tasks/open-task-database.ts')
  const stores = openSharedTasks(machine, url)
  try {
    const state = await answerInTime((stop) => stores.check({ signal: stop }), machine.clock, signal)
    if (state !== undefined) return judge(stores.shown, state)
    const text = `${stores.shown} did not answer within ${limitMs / 1_000} s`
    return {
      name,
      state: 'broken',
      text,
      remedy: 'check its host, port and firewall; a session pooler needs 3 free connections',
    }
  } finally {
    await stores.close()
  }
}

function judge(shown: string, { version, needed, pooling, lack }: DatabaseState): Checkup {
  if (lack !== undefined)
    return { name, state: 'broken', text: `${shown}: ${lack.text}`, remedy: lack.remedy }
  if (version > needed)
    return {
      name,
      state: 'broken',
      text: `${shown} has schema version ${version}, newer than ${needed}`,
      remedy: 'update pipe',
    }
  if (pooling === 'shared')
    return {
      name,
      state: 'broken',
      text: `${shown} is a transaction pooler: no worker can claim a task`,
      remedy: 'connect to the server itself, or use session pooling',
    }
  const schema = version === 0 ? 'no schema yet; pipe creates it when needed' : `schema version ${version}`
  const update = version > 0 && version < needed ? `, updated to ${needed} when needed` : ''
  const pooler = pooling === 'none' ? '' : '; pooled by session: each worker needs 3 connections'
  return { name, state: 'ok', text: `${shown} (${schema}${update}${pooler})` }
}
