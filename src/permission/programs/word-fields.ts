import { type Field, knownField, unknownField } from '../bash/fields.ts'

/** The value of each matching option: the rest of its word, or the next word. `undefined` for an unknown one. */
export function valuesAfter(args: readonly Field[], flag: RegExp): (string | undefined)[] {
  return fieldsAfter(args, flag).map(textOf)
}

/** Like `valuesAfter`, but returns fields. */
export function fieldsAfter(args: readonly Field[], flag: RegExp): readonly Field[] {
  return args.flatMap((field, i) => {
    const found = flag.exec(field.text)?.[0]
    if (found === undefined) return []
    const rest = field.text.slice(found.length).replace(/^=/, '')
    return rest === '' ? args.slice(i + 1, i + 2) : [{ ...field, text: rest }]
  })
}

/** Known words as fields. */
export function fieldsOf(words: readonly string[]): readonly Field[] {
  return words.map(knownField)
}

/** The texts of words, without their unknown parts. */
export function textsOf(fields: readonly Field[]): readonly string[] {
  return fields.map(({ text }) => text)
}

/** Whether a word matches. */
export function hasWord(fields: readonly Field[], word: RegExp): boolean {
  return fields.some(({ text }) => word.test(text))
}

/** Tells whether one of a command's words matches. */
export const hasOne =
  (word: RegExp) =>
  (args: readonly string[]): boolean =>
    args.some((arg) => word.test(arg))

/** The text of a word; `undefined` if a part of it is unknown. */
export function textOf({ text, known }: Field): string | undefined {
  return known ? text : undefined
}

/** Joins words to the text of one command; `undefined` if one is unknown. */
export function joined(args: readonly Field[]): string | undefined {
  return args.every(({ known }) => known) ? textsOf(args).join(' ') : undefined
}

/** Characters. A longer script counts as writing to an unknown file. */
const longestScript = 10_000

/** The files that a word writes to if it is a script: the first group of each match, unknown if the group is absent. */
export function filesNamedBy(writes: RegExp, { text, known }: Field): readonly Field[] {
  if (!known || text.length > longestScript) return [unknownField]
  return [...text.matchAll(writes)].map(([, file]) => (file === undefined ? unknownField : knownField(file)))
}
