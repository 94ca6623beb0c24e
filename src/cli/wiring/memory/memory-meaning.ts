import type { Settings } from '../../../config/settings.ts'
import type { Memory } from '../../../memory/memories.ts'
import type { Machine } from '../../machine.ts'

/** Ranks memories by their nearness in meaning to a prompt, the nearest first. Throws what keeps it from that. */
export type RankByMeaning = (
  memories: readonly Memory[],
  prompt: string,
  signal: AbortSignal,
) => Promise<readonly Memory[]>

/** Milliseconds that a first message waits for it. */
const patienceMs = 5_000

/** Returns a ranking by the model of `routes.embedding`; `undefined` if the settings name none. `root` is the project's. */
export function meaningRanker(machine: Machine, settings: Settings, root: string): RankByMeaning | undefined {
  if (settings.routes?.['embedding'] === undefined) return undefined
  return async (memories, prompt, outer) => {
    const { openChosenEmbedder } = await import('./embedder.ts')
    const { openChosenVectors } = await import('./chosen-vector-store.ts')
    const { startDeadline } = await import('../../../agent/limits/deadline.ts')
    const { rankByMeaning } = await import('../../../memories/meaning-distance.ts')
    const embedder = await openChosenEmbedder(machine, settings)
    if (embedder === undefined) return []
    const { hostname, home } = machine
    // The files are on this machine, so their vectors are kept apart from those of others.
    const wanted = { name: 'memories', origin: `memories ${hostname} ${home}`, model: embedder.model }
    const vectors = await openChosenVectors(machine, settings, wanted)
    const deadline = startDeadline(machine.clock, patienceMs, outer)
    try {
      const placeOf = (scope: Memory['scope']) => (scope === 'user' ? 'user' : root)
      return await rankByMeaning(memories, prompt, { embedder, vectors, placeOf, signal: deadline.signal })
    } finally {
      deadline.end()
      await vectors.close()
    }
  }
}
