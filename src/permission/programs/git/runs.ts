import { type Field, knownField } from '../../bash/fields.ts'
import type { Inner } from '../program.ts'
import { fieldsOf, joined, valuesAfter } from '../word-fields.ts'

const valuedOptions = new Set(
  '-C -c --config-env --exec-path --git-dir --namespace --super-prefix --work-tree --attr-source'.split(' '),
)
/** Settings whose value git runs. Includes those that name a configuration file, or allow a protocol that runs a program. */
const runsItsValue =
  /pager|editor|command|fsmonitor|external|textconv|hook|askpass|helper|clean|smudge|driver|cmd|program|filter|smtpserver|gitproxy|templatedir|\.path$|(upload|receive)pack$|^protocol\..*allow$/i

/** Options of subcommands whose value git runs. They may be abbreviated. */
const runningOptions =
  /^(--upl[a-z-]*|--rece[a-z-]*|--ex(?!cl)[a-z]*|-[a-z]?x|--op[a-z-]*|-[a-z]?O|--[a-z-]+-filter|--[a-z]+-cmd)/

/** Returns what git runs: the subcommand alone, and the programs that settings, options and URLs name. */
export function gitRuns(args: readonly Field[]): Inner {
  const at = subcommandAt(args)
  const rest = args.slice(at)
  const settings = args.slice(0, at).flatMap(({ text }, i) => (text === '-c' ? args.slice(i + 1, i + 2) : []))
  const urls = args.flatMap(({ text }) => /(?:^|=)ext::(.+)$/s.exec(text)?.[1] ?? [])
  const { commands = [], scripts = [] } = subcommandRuns(rest)
  return {
    commands: [...(at > 0 && rest.length > 0 ? [[git, ...rest]] : []), ...commands],
    scripts: [
      ...settings.map(({ text, known }) => setting(text, known)),
      ...valuesAfter(args, runningOptions),
      ...urls,
      ...scripts,
    ],
  }
}

/** Whether git runs anything besides its subcommand. */
export function gitRunsOther(args: readonly string[]): boolean {
  const { commands, scripts } = gitRuns(fieldsOf(args))
  return commands.some(([first]) => first !== git) || scripts.some((script) => script?.trim() !== '')
}

const git = knownField('git')

function subcommandAt(args: readonly Field[]): number {
  let i = 0
  while (args[i]?.text.startsWith('-') === true) i += valuedOptions.has(args[i]?.text ?? '') ? 2 : 1
  return Math.min(i, args.length)
}

interface GitPlace {
  /** The `-C` folders, each relative to the one before; `undefined` if an option names another repository. */
  readonly folders: readonly string[] | undefined
  /** The subcommand and its arguments. */
  readonly rest: readonly string[]
}

/** Returns the folder that git runs in and its subcommand. */
export function gitPlace(args: readonly string[]): GitPlace {
  const at = subcommandAt(fieldsOf(args))
  const before = args.slice(0, at)
  const isElsewhere = before.some((arg) => /^--(git-dir|work-tree|bare)/.test(arg))
  const folders = before.flatMap((arg, i) => (arg === '-C' ? args.slice(i + 1, i + 2) : []))
  return { folders: isElsewhere ? undefined : folders, rest: args.slice(at) }
}

function subcommandRuns([subcommand, ...args]: readonly Field[]): Partial<Inner> {
  const operands = args.filter(({ text }) => !text.startsWith('-'))
  const [verb] = operands
  switch (subcommand?.text) {
    case 'bisect':
      return verb?.text === 'run' ? { commands: [args.slice(args.indexOf(verb) + 1)] } : {}
    case 'submodule': {
      if (verb?.text !== 'foreach') return {}
      const each = args.slice(args.findIndex(({ text }) => text === 'foreach') + 1)
      const first = each.findIndex(({ text }) => !text.startsWith('-'))
      return first === -1 ? {} : { scripts: [joined(each.slice(first))] }
    }
    case 'rebase':
    case 'difftool':
      return { scripts: valuesAfter(args, /^-[a-z]*x/) }
    case 'init':
      return { scripts: valuesAfter(args, template) }
    case 'send-email': {
      const servers = valuesAfter(args, /^--?smtp-server(?==|$)/)
      return { scripts: servers.filter((server) => server?.includes('/') !== false) }
    }
    case 'clone':
      return {
        scripts: [
          ...valuesAfter(args, /^-u/),
          ...valuesAfter(args, template),
          ...valuesAfter(args, /^(-c|--config)/).map((text) => setting(text ?? '', true)),
        ],
      }
    case 'config':
      return { scripts: configRuns(args, operands) }
    default:
      return {}
  }
}

/** Names a folder with hooks. */
const template = /^--te[a-z]*/

/** Words of `git config` to consider. */
const mostWords = 16

/** Tries every pair of operands: an option's value may stand before the key, or between the key and its value. */
function configRuns(args: readonly Field[], operands: readonly Field[]): readonly (string | undefined)[] {
  const isEdited =
    operands[0]?.text === 'edit' || args.some(({ text }) => /^(-[a-z]*e[a-z]*|--ed[a-z]*)$/.test(text))
  if (isEdited || operands.length > mostWords) return [undefined]
  return operands.flatMap((key, i) =>
    operands.slice(i + 1).map((value) => setting(`${key.text}=${value.text}`, key.known && value.known)),
  )
}

/** The command that a setting `key=value` makes git run; empty if none, `undefined` if unknown. */
function setting(text: string, known: boolean): string | undefined {
  const [key = ''] = text.split('=', 1)
  const value = text.slice(key.length + 1)
  if (!known) return undefined
  if (value.startsWith('!')) return value.slice(1)
  if (/^alias\./i.test(key)) return `git ${value}`
  return runsItsValue.test(key) ? value : ''
}
