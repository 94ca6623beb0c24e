import { visitWords } from '../ranking/ranked-words.ts'
import {
  bucketCount,
  bucketOf,
  type IndexedDocument,
  type Postings,
  type SearchSource,
} from './search-source.ts'

/** A document with its text, redacted. */
export interface TextDocument extends Omit<IndexedDocument, 'length'> {
  readonly text: string
}

/** Indexes texts in memory. */
export function indexTexts(texts: readonly TextDocument[]): SearchSource {
  const buckets = Array.from({ length: bucketCount }, () => new Map<string, number[]>())
  const documents = texts.map(({ text, ...document }, number) => {
    const counts = countTerms(text)
    for (const [term, count] of counts) {
      const bucket = buckets[bucketOf(term)]
      const postings = bucket?.get(term)
      if (postings === undefined) bucket?.set(term, [number, count])
      else postings.push(number, count)
    }
    return { ...document, length: counts.size }
  })
  return {
    documents,
    find: (term, longer) => findIn(buckets[bucketOf(term)] ?? new Map(), term, longer),
    bucket: (number) => buckets[number] ?? new Map(),
  }
}

function countTerms(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  visitWords(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1))
  return counts
}

function* findIn(terms: ReadonlyMap<string, readonly number[]>, wanted: string, longer: boolean) {
  for (const [term, counts] of terms) {
    if (longer ? term.startsWith(wanted) : term === wanted) yield [term, counts] satisfies Postings
  }
}
