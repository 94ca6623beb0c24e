import { bucketCount, type IndexedDocument, type Postings, type SearchSource } from './search-source.ts'
import { encodeSegment } from './segment.ts'

/** A source, and which of its documents to keep. */
export interface Kept {
  readonly source: SearchSource
  keeps(document: number): boolean
}

/** Encodes a segment of the kept documents of these sources, bucket by bucket with a `pause` after each. Throws `SegmentFault`. */
export async function mergeSources(kept: readonly Kept[], pause: () => Promise<void>): Promise<Buffer> {
  const documents: IndexedDocument[] = []
  const numbers = kept.map(({ source, keeps }) =>
    source.documents.map((document, i) => (keeps(i) ? documents.push(document) - 1 : -1)),
  )
  const buckets: (readonly Postings[])[] = []
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    buckets.push(mergeBucket(kept, bucket, numbers))
    await pause()
  }
  return encodeSegment(documents, buckets)
}

function mergeBucket(
  kept: readonly Kept[],
  bucket: number,
  numbers: readonly (readonly number[])[],
): readonly Postings[] {
  const merged = new Map<string, number[]>()
  for (const [i, { source }] of kept.entries()) {
    for (const [term, counts] of source.bucket(bucket)) {
      const renumbered = renumber(counts, numbers[i] ?? [])
      const before = merged.get(term)
      if (before !== undefined) for (const one of renumbered) before.push(one)
      else if (renumbered.length > 0) merged.set(term, renumbered)
    }
  }
  return [...merged]
}

function renumber(counts: readonly number[], numbers: readonly number[]): number[] {
  const kept: number[] = []
  for (let i = 0; i < counts.length; i += 2) {
    const number = numbers[counts[i] ?? -1] ?? -1
    if (number !== -1) kept.push(number, counts[i + 1] ?? 0)
  }
  return kept
}
