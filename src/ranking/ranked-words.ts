/** Gets a word as the index spells it, without case, accents and compatibility forms, and its position in the text. */
type Visit = (term: string, start: number, end: number) => void

// Created on call, as Unicode properties take a millisecond to compile.
const wordRuns = () => /[\p{L}\p{N}\p{M}_]+/gu
const noLetters = () => /[^\p{L}\p{N}\p{M}_]/gu
/** Scripts that write no blanks between words. */
const unspaced = () =>
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu

/** Longer runs of letters are data, such as base64. */
const longestWord = 64
const ascii = /^[\0-\x7f]*$/

export const isAscii = (text: string): boolean => ascii.test(text)

/**
 * Visits the words of a text. Visits the parts of `camelCase` and `snake_case` besides the whole, and pairs of characters in scripts
 * without blanks.
 */
export function visitWords(text: string, visit: Visit): void {
  for (const { 0: run, index } of text.matchAll(wordRuns())) {
    if (ascii.test(run)) visitName(run, index, visit)
    else visitForeign(run, index, visit)
  }
}

/** Lists the words of a query, each once. */
export function queryTerms(query: string): readonly string[] {
  const terms = new Set<string>()
  // A pair begins with each character but the last, so a lone last one only says less.
  visitWords(query, (term, start, end) => {
    if (!isLoneTail(query, start, end)) terms.add(term)
  })
  return [...terms]
}

/** Whether a query's word also finds longer words that begin with it. */
export function findsLonger(term: string): boolean {
  return term.length >= 3 || (isUnspaced(term) && Array.from(term).length === 1)
}

function visitName(run: string, at: number, visit: Visit): void {
  if (run.length > longestWord) return
  const term = run.toLowerCase()
  visit(term, at, at + run.length)
  if (!/_|[a-z\d][A-Z]/.test(run)) return
  for (const { 0: part, index } of run.matchAll(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z\d]+|\d+/g)) {
    if (part.length < run.length) visit(part.toLowerCase(), at + index, at + index + part.length)
  }
}

function visitForeign(run: string, at: number, visit: Visit): void {
  let end = 0
  const between = (from: number, to: number) => {
    const word = run.slice(from, to)
    if (word !== '' && word.length <= longestWord) visitFolded(word, at + from, visit)
  }
  for (const { 0: part, index } of run.matchAll(unspaced())) {
    between(end, index)
    visitPairs(part, at + index, visit)
    end = index + part.length
  }
  between(end, run.length)
}

function visitPairs(part: string, at: number, visit: Visit): void {
  const letters = Array.from(part)
  let start = at
  for (const [i, letter] of letters.entries()) {
    const pair = letter + (letters[i + 1] ?? '')
    const term = fold(pair)
    if (term !== '') visit(term, start, start + pair.length)
    start += letter.length
  }
}

function visitFolded(word: string, at: number, visit: Visit): void {
  const term = fold(word)
  if (term !== '') visit(term, at, at + word.length)
}

/** Folds case, accents and compatibility forms. */
function fold(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.replace(noLetters(), '')
}

function isLoneTail(text: string, start: number, end: number): boolean {
  const letters = Array.from(text.slice(start, end))
  const before = text.slice(Math.max(0, start - 2), start)
  return letters.length === 1 && isUnspaced(letters[0] ?? '') && isUnspaced(Array.from(before).at(-1) ?? '')
}

function isUnspaced(text: string): boolean {
  return !ascii.test(text) && text.replace(unspaced(), '') === ''
}
