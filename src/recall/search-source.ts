import type { SessionId } from '../id.ts'

/** A run of messages of one session, as the index knows it. Never changes. */
export interface IndexedDocument {
  readonly id: SessionId
  /** Counts the session's messages before the run, and up to its end. */
  readonly from: number
  readonly through: number
  readonly createdAt: string
  readonly cwd?: string
  /** Bytes of the session's file when it was indexed, and its time in milliseconds since 1970. */
  readonly size: number
  readonly modified: number
  /** Time of the last message, in milliseconds since 1970. */
  readonly at: number
  /** Number of different terms. */
  readonly length: number
}

/** A term with the number of each document that holds it, followed by how often: `[document, count, document, count …]`. */
export type Postings = readonly [term: string, counts: readonly number[]]

/** Documents that can be searched. */
export interface SearchSource {
  /** Throws `SegmentFault`. */
  readonly documents: readonly IndexedDocument[]
  /** Returns the postings of a term, and of all that begin with it if `longer` is set. Throws `SegmentFault`. */
  find(term: string, longer: boolean): Iterable<Postings>
  /** Returns the postings of all terms of a bucket. Throws `SegmentFault`. */
  bucket(number: number): Iterable<Postings>
}

export const bucketCount = 256

/** Returns the number of a term's bucket. A word that finds longer ones is in theirs, too. */
export function bucketOf(term: string): number {
  const first = term.codePointAt(0) ?? 0
  const second = first < 0x80 ? (term.codePointAt(1) ?? 0) : 0
  return (first * 37 + second) % bucketCount
}
