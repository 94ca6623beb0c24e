import type { Field } from '../bash/fields.ts'

/** `w FILE` in sed, as a command or after a substitution, up to the end of the line. */
const sedWrite = /(?<![A-Za-z])[gpeIiMm\d]{0,9}[wW](?:[ \t]+|(?=[./~]))([^\s;}][^\n]*)/g

/** `print > "FILE"` in awk. The file is not known for any other expression. */
const awkWrite = /\bprintf?\b(?:"(?:\\.|[^"\\])*"|[^;}\n">])*>+[ \t]*(?:"([^"]*)")?/g

/** The files that a word writes to if it is a sed script. */
export function namedInSed(word: Field): readonly Field[] {
  return namedBy(sedWrite, word)
}

/** The files that a word writes to if it is an awk program. */
export function namedInAwk(word: Field): readonly Field[] {
  return namedBy(awkWrite, word)
}

/** Characters. A longer script counts as writing to an unknown file. */
const longest = 10_000

function namedBy(writes: RegExp, { text, known }: Field): readonly Field[] {
  if (!known || text.length > longest) return [{ text: '', known: false, glob: false }]
  return [...text.matchAll(writes)].map(([, file]) => ({
    text: file ?? '',
    known: file !== undefined,
    glob: false,
  }))
}
