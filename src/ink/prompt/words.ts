import { type Bordered, borderAfter, borderBefore, snapped } from './borders.ts'

const wordCharacter = /^[\p{L}\p{N}\p{M}\p{Pc}]/u
/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Mymr}]/u

/** Longest run of such a script that is split into words. */
const windowLength = 256

/** Code units after which a word, or what is between two words, ends in any case. Bounds what a key costs. */
const longest = 2_048

/** Returns the end of the word at or after an index. A placeholder is a word. */
export function wordEnd(bordered: Bordered, index: number): number {
  const { text } = bordered
  let at = index
  const most = Math.min(text.length, index + longest)
  while (at < most && !isWordAt(bordered, at)) at = borderAfter(bordered, at)
  if (placeholderAt(bordered, at) !== undefined) return borderAfter(bordered, at)
  const start = at
  while (
    at < Math.min(text.length, start + longest) &&
    isWordAt(bordered, at) &&
    placeholderAt(bordered, at) === undefined
  ) {
    at = borderAfter(bordered, at)
    if (at - start > windowLength && unspaced.test(text.slice(start, at))) break
  }
  const run = text.slice(start, at)
  return unspaced.test(run) ? start + (segmentsOf(run)[0]?.length ?? run.length) : at
}

/** Returns the start of the word at or before an index. */
export function wordStart(bordered: Bordered, index: number): number {
  const { text } = bordered
  let at = index
  let before = borderBefore(bordered, at)
  const least = Math.max(0, index - longest)
  while (at > least && !isWordAt(bordered, before)) {
    at = before
    before = borderBefore(bordered, at)
  }
  if (placeholderAt(bordered, before) !== undefined) return before
  const end = at
  while (
    at > Math.max(0, end - longest) &&
    isWordAt(bordered, before) &&
    placeholderAt(bordered, before) === undefined
  ) {
    at = before
    before = borderBefore(bordered, at)
    if (end - at > windowLength && unspaced.test(text.slice(at, end))) break
  }
  const run = text.slice(at, end)
  return unspaced.test(run) ? end - (segmentsOf(run).at(-1)?.length ?? run.length) : at
}

/** Returns the start of the text without spaces at or before an index: what Ctrl+W cuts in a shell. */
export function spaceBefore(bordered: Bordered, index: number): number {
  const { text, pastes } = bordered
  let at = index
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--
  while (at > 0 && !isSpace(text.charCodeAt(at - 1))) {
    const isEnd = text.charAt(at - 1) === ']'
    const pasted = isEnd ? pastes.find(({ placeholder }) => text.endsWith(placeholder, at)) : undefined
    at -= pasted?.placeholder.length ?? 1
  }
  // A character behind a space may combine with it.
  return Math.min(index, snapped(bordered, at))
}

/** The first number of kinds that only one word has. */
const ownKind = 3

/**
 * Returns the kind of a character that is no blank; a word has one kind. 1: punctuation, 2: letters and digits. A placeholder has a kind of
 * its own, as has each word of a script without spaces.
 */
export function kindAt(bordered: Bordered, index: number): number {
  const { text } = bordered
  if (!isWordAt(bordered, index)) return 1
  if (text.charCodeAt(index) < 128) return placeholderAt(bordered, index) === undefined ? 2 : ownKind + index
  if (!isUnspaced(text, index)) return 2
  let start = index
  while (start > 0 && index - start < windowLength && isUnspaced(text, start - 1)) start--
  const words = new Intl.Segmenter(undefined, { granularity: 'word' })
  const found = words.segment(text.slice(start, index + windowLength)).containing(index - start)
  return ownKind + start + (found?.index ?? 0)
}

function isUnspaced(text: string, index: number): boolean {
  return unspaced.test(String.fromCodePoint(text.codePointAt(index) ?? 0))
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0x3000 || unit === 0xa0
}

function isWordAt(bordered: Bordered, index: number): boolean {
  const { text } = bordered
  const unit = text.charCodeAt(index)
  if (unit < 128 && unit !== 91) return isAsciiWord(unit)
  return placeholderAt(bordered, index) !== undefined || wordCharacter.test(text.slice(index, index + 2))
}

function isAsciiWord(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122)
  )
}

function placeholderAt({ text, pastes }: Bordered, index: number): string | undefined {
  return pastes.find((one) => text.startsWith(one.placeholder, index))?.placeholder
}

/** Splits a run of letters into the words of its script. */
function segmentsOf(run: string): readonly string[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' })
  return Array.from(words.segment(run), ({ segment }) => segment)
}
