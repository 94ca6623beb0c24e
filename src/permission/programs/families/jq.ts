import type { Program } from '../program.ts'
import { type Arguments, hasOption } from '../program-arguments.ts'
import { afterFirst } from '../readers.ts'

export const jq: Program = {
  reads: { files: afterFirst, accepts: isRead, globs: true },
  wordsAreData: true,
}

/** Whether a filter reads neither the environment nor further files. */
function isRead(given: Arguments, args: readonly string[]): boolean {
  if (hasOption(given, 'fL', ['--from-file', '--library-path', '--run-tests'])) return false
  return !args.some((arg) => /\bENV\b/.test(arg) || looksAround(arg))
}

const around = /(?<![."])\b(env|import|include|modulemeta)\b/
/** Syntax that may give a comma another meaning than between keys, or hide where a string ends. */
const intricate = /#|\\\(|(?<!\.)\b(if|def|as|label|reduce|foreach|try)\b/

/** Whether a filter uses such a word other than as a field name or in a string. */
function looksAround(filter: string): boolean {
  if (!around.test(filter)) return false
  if (intricate.test(filter)) return true
  const words = filter.replace(/"(?:\\.|[^"\\])*"/gs, ' 0 ').match(/\.?\w+|[^\s\w]/g) ?? []
  const open: string[] = []
  return words.some((word, i) => {
    if ('([{'.includes(word)) open.push(word)
    else if (')]}'.includes(word)) open.pop()
    if (word === '"') return true
    if (!/^(env|import|include|modulemeta)$/.test(word)) return false
    const isKey = /^[{,]$/.test(words[i - 1] ?? '') && /^[,:}]$/.test(words[i + 1] ?? '')
    return !isKey || open.at(-1) !== '{'
  })
}
