import { cutText } from '../characters/cut.ts'
import { sha256 } from '../files/lazy-crypto.ts'
import type { Memory, MemoryScope } from '../memory/memories.ts'
import { type Embedder, unitVector, type VectorStore } from '../memory/vector-store.ts'

/** Tells how near texts are in meaning. */
export interface MeaningDistance {
  readonly embedder: Embedder
  /** Keeps the vectors of memories, so that each text is embedded once. */
  readonly vectors: VectorStore
  /** Tells the file of a scope from all others. */
  readonly placeOf: (scope: MemoryScope) => string
  readonly signal: AbortSignal
}

/** Characters of a prompt that say what it means. */
const mostPrompt = 8_000
/** More vectors than a file has memories. */
const mostVectors = 100_000
/** Texts to embed at once: what is kept survives a run that gives up. */
const batch = 64

/**
 * Ranks memories by their nearness in meaning to a prompt, the nearest first. Removes the vectors of texts that are gone. Throws as the
 * embedder and the store do.
 */
export async function rankByMeaning(
  memories: readonly Memory[],
  prompt: string,
  { embedder, vectors, placeOf, signal }: MeaningDistance,
): Promise<readonly Memory[]> {
  const [query] = await embedder.embed([cutText(prompt, mostPrompt)], { signal })
  if (query === undefined) return []
  const wanted = new Map(memories.map((memory) => [vectorId(memory, placeOf), memory]))
  const scores = new Map<string, number>()
  const gone: string[] = []
  for (const place of new Set(memories.map(({ scope }) => placeOf(scope)))) {
    for (const { id, score } of await vectors.searchScored(query, mostVectors, {
      signal,
      filter: { place },
    })) {
      if (wanted.has(id)) scores.set(id, score)
      else gone.push(id)
    }
  }
  if (gone.length > 0) await vectors.remove(gone, { signal })
  const missing = [...wanted].filter(([id]) => !scores.has(id))
  for (let at = 0; at < missing.length; at += batch) {
    const some = missing.slice(at, at + batch)
    const embedded = await embedder.embed(
      some.map(([, { text }]) => text),
      { signal },
    )
    const entries = some.flatMap(([id, { scope }], i) => {
      const embedding = embedded[i]
      return embedding === undefined ? [] : [{ id, embedding, metadata: { place: placeOf(scope) } }]
    })
    await vectors.upsertAll(entries, { signal })
    for (const { id, embedding } of entries) scores.set(id, nearness(embedding, query))
  }
  return [...wanted].sort(([a], [b]) => (scores.get(b) ?? -1) - (scores.get(a) ?? -1)).map(([, one]) => one)
}

function vectorId({ scope, text }: Memory, placeOf: MeaningDistance['placeOf']): string {
  return sha256(`${placeOf(scope)}\n${text}`).slice(0, 32)
}

/** The cosine of the angle between two vectors. */
function nearness(one: Float32Array, other: Float32Array): number {
  const [a, b] = [unitVector(one), unitVector(other)]
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}
