import { isAbsolute } from 'node:path'
import { PipeError } from '../../../error.ts'
import type { Recall } from '../../../memory/recall.ts'
import type { Embedder, VectorStore } from '../../../memory/vector-store.ts'
import { readLibraryMachine } from '../library-machine.ts'

export interface OwnMeaning {
  readonly embedder: Embedder
  /** The vectors of that embedder's model. Its owner closes it, after the search. */
  readonly vectors: VectorStore
  /** Absolute folder of the index, created on demand: that of `pipe recall` is of another model. */
  readonly folder: string
}

export interface RecallSetup {
  /** A model and a store of your own. Default: those of the user's settings; without any, words alone are searched. */
  readonly own?: OwnMeaning
  /** Decides where the sessions and the index are, as for `openConversation`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Opens the search over the user's sessions. The caller closes it. Throws `usage` for a folder that is not absolute, `config`. */
export async function openRecall({ own, env }: RecallSetup = {}): Promise<Recall> {
  const { openRedactor } = await import('../../wiring/audit/open-audit-log.ts')
  const { openSessionRecall } = await import('../../wiring/memory/session-search.ts')
  const machine = readLibraryMachine(env === undefined ? {} : { env }, [])
  const redact = await openRedactor(machine)
  if (own === undefined) return openSessionRecall(machine, { redact, tidies: false })
  const { embedder, vectors, folder } = own
  if (!isAbsolute(folder))
    throw new PipeError('usage', `openRecall: own.folder must be absolute, not ${folder}`)
  return openSessionRecall(machine, {
    redact,
    tidies: false,
    own: { folder, openEmbedder: async () => embedder, openVectors: async () => withoutClose(vectors) },
  })
}

/** Leaves the closing of a store to its owner. */
function withoutClose(vectors: VectorStore): VectorStore {
  return {
    upsert: (...args) => vectors.upsert(...args),
    upsertAll: (...args) => vectors.upsertAll(...args),
    search: (...args) => vectors.search(...args),
    searchScored: (...args) => vectors.searchScored(...args),
    remove: (...args) => vectors.remove(...args),
    removeWhere: (...args) => vectors.removeWhere(...args),
    generation: (...args) => vectors.generation(...args),
    close: async () => undefined,
  }
}
