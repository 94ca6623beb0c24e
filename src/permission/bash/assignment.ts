import type { Field } from './fields.ts'
import type { Word, WordPart } from './syntax.ts'

/** Variables that change how bash reads the rest of a line. */
export const changesReading: RegExp = /^(IFS|BASH_CMDS|BASH_ALIASES)$/

/** Variables whose value is a command or a prompt. */
const runsItsValue =
  /PAGER|EDITOR|EDIT$|VISUAL|COMMAND|ASKPASS|BROWSER|EXTERNAL_DIFF|_RSH$|_SSH$|_PROG$|^HGMERGE$|^LESS(OPEN|CLOSE)$|^GIT_(SSH|CONFIG_VALUE)|^PS[0-4]$|^(BASH_)?ENV$/

/** The scripts that a variable's value makes bash or a program run. */
export function scriptsOfValue(name: string, value: string): readonly string[] {
  // `'key=value' 'key'='value'`, as git passes settings on.
  if (name === 'GIT_CONFIG_PARAMETERS')
    return [value.replace(/'[^']*'(='[^']*')?/g, (setting) => `git -c ${setting} log;`)]
  if (name.startsWith('BASH_FUNC_')) return [`f${value}`]
  const whole = runsItsValue.test(name) ? [value.replace(/^[!|]/, '')] : []
  return name.startsWith('GIT_CONFIG_VALUE') ? [...whole, `git ${value}`] : whole
}

/** Variables that name a file that a shell reads first. */
export const namesScript: RegExp = /^(BASH_)?ENV$/

/** `name=value`, `name[subscript]=value` or `name+=value`. */
const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s

/** A function that a shell passes to another: `BASH_FUNC_name%%=() { …; }`. */
const exported = /^(BASH_FUNC_[^=]*)()=(.*)$/s

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
    const [found, name = '', plus, value] = exported.exec(text) ?? assignment.exec(text) ?? []
    return found === undefined ? [] : [[name, known && plus === '' ? value : undefined] as const]
  })
}

/** The variables that words, or the values of options, name. */
export function variablesNamed(args: readonly Field[]): readonly string[] {
  return args.flatMap(
    ({ text }) => /^(?:-[A-Za-z]{0,4}?[apv])?([A-Za-z_]\w*)(?:\[.*\])?$/s.exec(text)?.[1] ?? [],
  )
}
