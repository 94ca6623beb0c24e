import type { Field } from './fields.ts'

/** `w FILE` of sed, as a command or behind a substitution: up to the end of the line. */
const sedWrite = /(?<![A-Za-z])[gpeIiMm\d]{0,9}[wW](?:[ \t]+|(?=[./~]))([^\s;}][^\n]*)/g

/** `print > "FILE"` of awk; of any other expression the file is not known. */
const awkWrite = /\bprintf?\b(?:"(?:\\.|[^"\\])*"|[^;}\n">])*>+[ \t]*(?:"([^"]*)")?/g

/** The files that a word of sed has it write to, where it may be a script. */
export function namedInSed(word: Field): readonly Field[] {
  return namedBy(sedWrite, word)
}

/** The same for awk. */
export function namedInAwk(word: Field): readonly Field[] {
  return namedBy(awkWrite, word)
}

/** Characters. Longer scripts are not read. */
const longest = 10_000

function namedBy(writes: RegExp, { text, known }: Field): readonly Field[] {
  if (!known || text.length > longest) return [{ text: '', known: false, glob: false }]
  return [...text.matchAll(writes)].map(([, file]) => ({
    text: file ?? '',
    known: file !== undefined,
    glob: false,
  }))
}
