import { cutText } from '../../files/lines.ts'

const shownCharacters = 200
/** Where more lines begin alike, the first ones are compared. */
const maxCandidates = 100

/** What a text has in place of one that was looked for in vain, to be put after "is not in it". Empty where nothing is like it. */
export function nearMiss(text: string, oldText: string): string {
  const wanted = trimmedLines(oldText.trim())
  if (wanted[0] === '') return ''
  if (wanted.every((line) => /^\d+\t/.test(line))) return ': leave out the line numbers that read shows'
  const lines = trimmedLines(text)
  const { start, length } = longestMatch(lines, wanted)
  if (length === 0) return ''
  if (length === wanted.length) return `; line ${start + 1} begins the same but for white space`
  const differs = start + length
  const found = text.split('\n')[differs]
  const has = found === undefined ? 'the file ends' : `line ${differs + 1} is ${quoted(found)}`
  return `; it begins like line ${start + 1}, but then ${has}`
}

const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim())

const quoted = (line: string): string => JSON.stringify(cutText(line, shownCharacters))

/** Where the most lines from the first on are the wanted ones. */
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
