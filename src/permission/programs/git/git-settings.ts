import type { Field } from '../../bash/fields.ts'

/** Settings whose value git runs. Includes those that name a configuration file, or allow a protocol that runs a program. */
const runsItsValue =
  /pager|editor|command|fsmonitor|external|textconv|hook|askpass|helper|clean|smudge|driver|cmd|program|filter|smtpserver|gitproxy|templatedir|\.(path|tunnel|httpd|vcs)$|^(diff|merge)\.(gui)?tool$|(upload|receive)pack$|^protocol\..*allow$/i

/** The command that a setting `key=value` makes git run; empty if none, `undefined` if unknown. */
export function settingRuns({ text, known }: Pick<Field, 'text' | 'known'>): string | undefined {
  const [key = ''] = text.split('=', 1)
  const value = text.slice(key.length + 1)
  if (!known) return undefined
  if (value.startsWith('!')) return value.slice(1)
  if (/^alias\./i.test(key)) return `git ${value}`
  return runsItsValue.test(key) ? value : ''
}

/** Words of `git config` to consider. */
const mostWords = 16

/** Returns what `git config` sets for git to run. Tries every pair of operands: an option's value may stand before the key or the value. */
export function configRuns(
  args: readonly Field[],
  operands: readonly Field[],
): readonly (string | undefined)[] {
  const isEdited =
    operands[0]?.text === 'edit' || args.some(({ text }) => /^(-[a-z]*e[a-z]*|--ed[a-z]*)$/.test(text))
  if (isEdited || operands.length > mostWords) return [undefined]
  return operands.flatMap((key, i) =>
    operands
      .slice(i + 1)
      .map((value) => settingRuns({ text: `${key.text}=${value.text}`, known: key.known && value.known })),
  )
}
