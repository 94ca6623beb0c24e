import type { Directories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError } from '../../../error.ts'
import type { VectorDatabase } from '../../../postgres/vector-database.ts'
import type { Machine } from '../../machine.ts'
import { passwordFile } from '../../wiring/tasks/task-store.ts'
import { answerInTime, limitMs } from './answer-in-time.ts'
import type { Checkup } from './checkup.ts'

const name = 'vectors'

export interface VectorsCheck {
  readonly machine: Machine
  readonly settings: Settings
  readonly directories: Directories
  readonly signal: AbortSignal
}

/** Checks the model for embeddings and where its vectors are kept. Finds nothing if no such model is set. Asks no model's server. */
export async function checkVectors(check: VectorsCheck): Promise<readonly Checkup[]> {
  const { machine, settings, directories } = check
  if (settings.routes?.['embedding'] === undefined) return []
  try {
    const { openChosenEmbedder } = await import('../../wiring/memory/embedder.ts')
    const model = (await openChosenEmbedder(machine, settings))?.model ?? ''
    const { store = 'file' } = settings.memory ?? {}
    if (store === 'file') return [{ name, state: 'ok', text: `files in ${directories.vectors}, of ${model}` }]
    return [await checkDatabase(store, model, check)]
  } catch (error) {
    if (!isPipeError(error)) throw error
    return [{ name, state: 'missing', text: error.message, remedy: 'until then, searches use words only' }]
  }
}

async function checkDatabase(
  url: string,
  model: string,
  { machine, signal }: VectorsCheck,
): Promise<Checkup> {
  const { checkVectorDatabase } = await import('../../../postgres/vector-database.ts')
  const { clock } = machine
  const options = { url, clock, passwordFile: passwordFile(machine) }
  const state = await answerInTime((stop) => checkVectorDatabase(options, stop), clock, signal)
  if (state !== undefined) return judge(state, model)
  const text = `the database of memory.store did not answer within ${limitMs / 1_000} s`
  return { name, state: 'missing', text, remedy: 'check its host, port and firewall' }
}

function judge({ shown, version, needed, lack }: VectorDatabase, model: string): Checkup {
  if (lack !== undefined) return { name, state: 'missing', text: lack }
  if (version > needed)
    return {
      name,
      state: 'missing',
      text: `${shown} has schema version ${version}, newer than ${needed}`,
      remedy: 'update pipe',
    }
  const schema = version === 0 ? 'no schema yet; pipe creates it when needed' : `schema version ${version}`
  return { name, state: 'ok', text: `${shown} (${schema}), of ${model}` }
}
