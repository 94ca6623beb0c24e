import { cutText } from '../../characters/cut.ts'

const shownCharacters = 200
/** Compares at most this many lines that equal the first wanted one. */
const maxCandidates = 100
/** Two lines are similar if they share at least this fraction of their character pairs. */
const alikeShare = 0.6

/** Describes the closest match of a text that was not found, to follow "is not in it". Empty if nothing is similar. */
export function nearMiss(text: string, oldText: string): string {
  const wanted = trimmedLines(oldText.trim())
  const [first = ''] = wanted
  if (first === '') return ''
  if (wanted.every((line) => /^\d+\t/.test(line))) return ': leave out the line numbers that read shows'
  if (/^<{5,} ?SEARCH/.test(first)) return ': leave out the marks of a SEARCH block'
  if (hasLiteralLineEnds(text, oldText))
    return ': its \\n are a backslash and an n, where the file has line ends'
  const lines = trimmedLines(text)
  const { start, length } = longestMatch(lines, wanted)
  if (length === 0) return nearestLine(text, first)
  if (length === wanted.length) return `; line ${start + 1} begins the same except for white space`
  const differs = start + length
  const found = text.split('\n')[differs]
  const has = found === undefined ? 'the file ends' : `line ${differs + 1} is ${quoted(found)}`
  return `; it begins like line ${start + 1}, but then ${has}`
}

const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim())

const quoted = (line: string): string => JSON.stringify(cutText(line.replace(/\r$/, ''), shownCharacters))

function hasLiteralLineEnds(text: string, oldText: string): boolean {
  if (!oldText.includes('\\n')) return false
  return text.replaceAll('\r\n', '\n').includes(oldText.trim().replaceAll('\\n', '\n'))
}

/** Describes the most similar line, if any. Takes linear time. */
function nearestLine(text: string, wanted: string): string {
  const pairs = new Set(pairsOf(wanted))
  let best = { share: alikeShare, row: '' }
  for (const [i, line] of text.split('\n').entries()) {
    const { length } = line.trim()
    if (length > 2 * wanted.length || 2 * length < wanted.length) continue
    const own = pairsOf(line.trim())
    const share = own.filter((pair) => pairs.has(pair)).length / Math.max(own.length, pairs.size)
    if (share > best.share)
      best = { share, row: `; its first line is most like line ${i + 1}, ${quoted(line)}` }
  }
  return best.row
}

/** Each pair of adjacent characters as one number. */
function pairsOf(line: string): number[] {
  return Array.from(
    { length: Math.max(0, line.length - 1) },
    (_, i) => (line.charCodeAt(i) << 16) | line.charCodeAt(i + 1),
  )
}

/** The longest run of lines that equals the start of the wanted ones. */
function longestMatch(lines: readonly string[], wanted: readonly string[]) {
  let best = { start: 0, length: 0 }
  let candidates = 0
  for (const [start, line] of lines.entries()) {
    if (line !== wanted[0]) continue
    let length = 1
    while (length < wanted.length && lines[start + length] === wanted[length]) length++
    if (length > best.length) best = { start, length }
    if (++candidates === maxCandidates) break
  }
  return best
}
