import { cutStart, cutText } from '../characters/cut.ts'
import type { RecallExcerpt, SearchableMessage } from '../memory/recall.ts'
import { findsLonger, isAscii, visitWords } from '../ranking/ranked-words.ts'
import type { Redact } from '../redaction/redaction.ts'
import { indexedText, saidText } from './indexed-text.ts'

/** A word of a text that matches a term of the query. */
interface Hit {
  readonly term: string
  readonly start: number
  readonly end: number
}

interface Candidate {
  readonly message: SearchableMessage
  readonly text: string
  readonly hits: readonly Hit[]
}

/** Characters of an excerpt, and of those before the first match. */
const width = 240
const before = 60

/** Finds the message that holds most of the terms, and the part of it that does. Prefers what was said to output, and later messages. */
export function findExcerpt(
  messages: readonly SearchableMessage[],
  terms: readonly string[],
  redact: Redact,
): RecallExcerpt | undefined {
  // Redacting takes longer than finding the words.
  const likely = messages.map((message) => ({ message, worth: worthOf(message, terms) })).reverse()
  for (const { message, worth } of likely.sort((a, b) => b.worth - a.worth)) {
    const text = worth > 0 ? indexedText(message, redact) : ''
    const hits = findHits(text, terms)
    if (hits.length > 0) return excerptOf({ message, text, hits })
  }
  return undefined
}

/** Returns the beginning of what a message says. */
export function messageStart(message: SearchableMessage, redact: Redact): RecallExcerpt {
  const { id, type, timestamp } = message
  const whole = saidText(message, redact).trim()
  const to = whole.length <= width ? whole.length : wordEnd(whole, width, 0)
  const text = oneLine(whole.slice(0, to)).trimEnd() + (to === whole.length ? '' : '…')
  return { messageId: id, type, timestamp, text, matches: [] }
}

function worthOf(message: SearchableMessage, terms: readonly string[]): number {
  const count = countTerms(
    findHits(
      indexedText(message, (text) => text),
      terms,
    ),
  )
  return count * 2 - (message.type === 'tool_result' ? 1 : 0)
}

function findHits(text: string, terms: readonly string[]): readonly Hit[] {
  const hits: Hit[] = []
  if (isAscii(text)) {
    const folded = text.toLowerCase()
    if (!terms.some((term) => folded.includes(term))) return hits
  }
  visitWords(text, (word, start, end) => {
    const term = terms.find((one) => one === word || (findsLonger(one) && word.startsWith(one)))
    if (term !== undefined) hits.push({ term, start, end })
  })
  return hits
}

function countTerms(hits: readonly Hit[]): number {
  return new Set(hits.map(({ term }) => term)).size
}

function excerptOf({ message, text, hits }: Candidate): RecallExcerpt {
  const shown = densest(hits)
  const start = Math.max(0, (shown[0]?.start ?? 0) - before)
  const end = Math.min(text.length, start + width)
  const from = start === 0 ? 0 : wordStart(text, start, shown[0]?.start ?? start)
  const to = end === text.length ? end : wordEnd(text, end, shown.at(-1)?.end ?? end)
  const lead = from === 0 ? '' : '…'
  let line = lead
  const matches: (readonly [number, number])[] = []
  let at = from
  for (const hit of joined(hits.filter((one) => one.start >= from && one.end <= to))) {
    line += oneLine(text.slice(at, hit.start))
    matches.push([line.length, line.length + hit.end - hit.start])
    line += text.slice(hit.start, hit.end)
    at = hit.end
  }
  line += oneLine(text.slice(at, to)).trimEnd() + (to === text.length ? '' : '…')
  const { id, type, timestamp } = message
  return { messageId: id, type, timestamp, text: line, matches }
}

/** Returns the hits of the stretch that holds most terms, the first of several. */
function densest(hits: readonly Hit[]): readonly Hit[] {
  let best: readonly Hit[] = []
  let most = 0
  let to = 0
  for (const [from, { start }] of hits.entries()) {
    while ((hits[to]?.end ?? Number.POSITIVE_INFINITY) <= start + width - before) to++
    const near = hits.slice(from, Math.max(to, from + 1))
    const count = countTerms(near)
    if (count > most) {
      best = near
      most = count
    }
  }
  return best
}

/** Joins hits that overlap: a name and its parts, pairs of characters. */
function joined(hits: readonly Hit[]): readonly Hit[] {
  const result: Hit[] = []
  for (const hit of hits.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || hit.start >= last.end) result.push(hit)
    else result.splice(-1, 1, { ...last, end: Math.max(last.end, hit.end) })
  }
  return result
}

/** Returns where the first whole word after `at` begins; `at` itself if no word ends before `limit`. */
function wordStart(text: string, at: number, limit: number): number {
  const blank = text.slice(at, limit).search(/\s\S/)
  return blank === -1 ? limit - cutStart(text.slice(0, limit), limit - at).length : at + blank + 1
}

/** Returns where the last whole word before `at` ends; `at` itself if no word ends after `limit`. */
function wordEnd(text: string, at: number, limit: number): number {
  const part = cutText(text.slice(limit), at - limit)
  const blank = part.search(/\s\S*$/)
  return limit + (blank === -1 ? part.length : blank)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
