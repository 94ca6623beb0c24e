import { isAscii, queryTerms, visitWords } from '../ranking/ranked-words.ts'

/** Weights of a repeated word and of the length of a text: the usual values of BM25. */
const [saturation, lengthWeight] = [1.2, 0.75]

/** Characters of a word that tell it from others: its inflections differ behind them. */
const stemLength = 6

/** A text as it is rated: the number of its words, and how often each stem of the query is among them. */
interface Counted {
  readonly length: number
  readonly counts: ReadonlyMap<string, number>
}

/** Rates texts by their likeness to a query: BM25 over the stems of their words. 0: they share none. Linear. */
export function likenesses(texts: readonly string[], query: string): readonly number[] {
  const stems = new Set(queryTerms(query).map(stemOf))
  const counted = texts.map((text) => countStems(text, stems))
  const usual = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length)
  const holders = new Map<string, number>()
  for (const stem of counted.flatMap(({ counts }) => [...counts.keys()]))
    holders.set(stem, (holders.get(stem) ?? 0) + 1)
  const rarity = (stem: string) => {
    const held = holders.get(stem) ?? 0
    return Math.log(1 + (texts.length - held + 0.5) / (held + 0.5))
  }
  return counted.map(({ length, counts }) => {
    const damping = saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, usual))
    let score = 0
    for (const [stem, count] of counts)
      score += (weightOf(stem) * rarity(stem) * count * (saturation + 1)) / (count + damping)
    return score
  })
}

function countStems(text: string, stems: ReadonlySet<string>): Counted {
  const counts = new Map<string, number>()
  let length = 0
  visitWords(text, (term) => {
    const stem = stemOf(term)
    length++
    if (stems.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  })
  return { length, counts }
}

function stemOf(term: string): string {
  return isAscii(term) && term.length > 3 ? term.replace(/s$/, '').slice(0, stemLength) : term
}

/** Among few texts rarity does not tell words such as `the` from others, but their length does. */
function weightOf(stem: string): number {
  return isAscii(stem) ? Math.min(1, stem.length / stemLength) : 1
}
