import { PipeError } from '../error.ts'

/** Facts kept with a vector, by which a search can filter. */
export type VectorMetadata = Readonly<Record<string, string>>

/** A vector to keep. */
export interface VectorEntry {
  /** Such as the id of the message that it stands for. */
  readonly id: string
  /** All vectors of a store have the same number of dimensions. Its length need not be 1. */
  readonly embedding: Float32Array
  readonly metadata: VectorMetadata
}

export interface VectorSearchOptions {
  readonly signal: AbortSignal
  /** Finds only vectors whose metadata has all of these values. Default: all. */
  readonly filter?: VectorMetadata
}

/** A vector that a search found. */
export interface ScoredVector {
  readonly id: string
  /** Cosine of the angle between both vectors, −1 to 1. */
  readonly score: number
  readonly metadata: VectorMetadata
}

interface Cancellable {
  readonly signal: AbortSignal
}

/**
 * Vectors of one model by id, found by their nearness to another. Methods throw `aborted`, `conflict` if another process writes for 30 s,
 * and the reason of the system or the server (`permission`, `invalid` for a full disk, `network` …). A vector of another number of
 * dimensions than those stored is `invalid` with `details.reason` `dimensions`, until `removeWhere({})` has emptied the store.
 */
export interface VectorStore {
  /** Adds a vector, or replaces the one with this id. Throws `invalid` for a value that is not finite, and for a vector of zeros. */
  upsert(id: string, embedding: Float32Array, metadata: VectorMetadata, options: Cancellable): Promise<void>
  /** As `upsert` for each, all or none. */
  upsertAll(entries: readonly VectorEntry[], options: Cancellable): Promise<void>
  /** Returns the ids of the nearest vectors, the nearest first; the smaller id first among equals. */
  search(query: Float32Array, limit: number, options: VectorSearchOptions): Promise<readonly string[]>
  /** As `search`, with the scores. */
  searchScored(
    query: Float32Array,
    limit: number,
    options: VectorSearchOptions,
  ): Promise<readonly ScoredVector[]>
  /** Removes the vectors with these ids. Ids that it lacks are ignored. */
  remove(ids: readonly string[], options: Cancellable): Promise<void>
  /** Removes all vectors whose metadata has all of these values. */
  removeWhere(filter: VectorMetadata, options: Cancellable): Promise<void>
  /**
   * Names the stored vectors as a whole; an empty text while there are none. Differs once they were lost or began anew, as for another
   * model: a caller that notes what it has stored must store it again.
   */
  generation(options: Cancellable): Promise<string>
  close(): Promise<void>
}

/** Makes vectors of texts, so that texts with the same meaning are near each other. */
export interface Embedder {
  /** `provider/model`. Vectors of different models are not comparable. */
  readonly model: string
  /** Returns a vector for each text, in order. Throws as a provider's stream does: `auth`, `rate_limited`, `network`, `aborted` … */
  embed(texts: readonly string[], options: Cancellable): Promise<readonly Float32Array[]>
}

/** Returns the vector of length 1 with the same direction. Throws `invalid` for a value that is not finite, and for zeros alone. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (length > 0 && Number.isFinite(length)) return vector.map((value) => value / length)
  throw new PipeError('invalid', 'a vector needs finite numbers, not all of them zero')
}

/** Throws `invalid` with `details.reason` `dimensions` unless a vector has this many. */
export function requireDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return
  throw new PipeError(
    'invalid',
    `a vector has ${vector.length} dimensions, those stored have ${dimensions}`,
    {
      details: { reason: 'dimensions' },
    },
  )
}
