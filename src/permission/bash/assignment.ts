import type { Field } from './fields.ts'
import type { Word, WordPart } from './syntax.ts'

/** Variables that change how bash reads the rest of a line. */
export const changesReading: RegExp = /^(IFS|BASH_CMDS|BASH_ALIASES)$/

/** Variables whose value is a command or a prompt. */
export const runsItsValue: RegExp =
  /PAGER|EDITOR|VISUAL|COMMAND|ASKPASS|BROWSER|EXTERNAL_DIFF|_RSH$|^LESS(OPEN|CLOSE)$|^GIT_(SSH|CONFIG_VALUE)|^PS[0-4]$|^(BASH_)?ENV$/

/** Variables that name a file that a shell reads first. */
export const namesScript: RegExp = /^(BASH_)?ENV$/

/** `name=value`, `name[subscript]=value` or `name+=value`. */
const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s

/** Reads a word before a command as an assignment; `undefined` if it is not one. */
export function readAssignment({ parts: [first, ...more] }: Word) {
  if (first?.type !== 'text' || first.quoted) return undefined
  const match = assignment.exec(first.text)
  if (match === null) return undefined
  const [, name = '', plus, text = ''] = match
  const value: readonly WordPart[] = [{ ...first, text }, ...more]
  return { name, value, appends: plus === '+' }
}

/** Drops the assignments before a command. */
export function stripAssignments(fields: readonly Field[]): readonly Field[] {
  const first = fields.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
  return first === -1 ? [] : fields.slice(first)
}

/** The assignments among words, as name and value. The value is `undefined` if unknown. */
export function assignmentsIn(fields: readonly Field[]): readonly (readonly [string, string | undefined])[] {
  return fields.flatMap(({ text, known }) => {
    const [found, name = '', plus, value] = assignment.exec(text) ?? []
    return found === undefined ? [] : [[name, known && plus === '' ? value : undefined] as const]
  })
}

/** The variables that words, or the values of options, name. */
export function variablesNamed(args: readonly Field[]): readonly string[] {
  return args.flatMap(
    ({ text }) => /^(?:-[A-Za-z]{0,4}?[apv])?([A-Za-z_]\w*)(?:\[.*\])?$/s.exec(text)?.[1] ?? [],
  )
}
