import type { Field } from './fields.ts'
import type { Part, Word } from './syntax.ts'

/** Names by whose value bash reads the rest of a line otherwise. */
export const changesReading: RegExp = /^(IFS|BASH_CMDS|BASH_ALIASES)$/

/** Names whose value is a command or a prompt. */
export const runsItsValue: RegExp =
  /PAGER|EDITOR|VISUAL|COMMAND|ASKPASS|BROWSER|EXTERNAL_DIFF|_RSH$|^LESS(OPEN|CLOSE)$|^GIT_(SSH|CONFIG_VALUE)|^PS[0-4]$|^(BASH_)?ENV$/

/** Commands whose words are assignments. */
export const isDeclaration: RegExp = /^(export|declare|typeset|local|readonly|alias)$/

/** A word as the assignment that it is where it stands before a command. */
export function readAssignment({ parts: [first, ...more] }: Word) {
  if (first?.type !== 'text' || first.quoted) return undefined
  const match = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s.exec(first.text)
  if (match === null) return undefined
  const [, name = '', plus, text = ''] = match
  const value: readonly Part[] = [{ ...first, text }, ...more]
  return { name, value, appends: plus === '+' }
}

/** A command without the variables that are set before it. */
export function stripAssignments(fields: readonly Field[]): readonly Field[] {
  const first = fields.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
  return first === -1 ? [] : fields.slice(first)
}
