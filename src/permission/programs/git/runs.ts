import { type Field, knownField } from '../../bash/fields.ts'
import type { Inner } from '../program.ts'
import { fieldsOf, hasWord, valuesAfter } from '../word-fields.ts'
import { settingRuns } from './git-settings.ts'
import { subcommandRuns } from './git-subcommands.ts'

const valuedOptions = new Set(
  '-C -c --config-env --exec-path --git-dir --namespace --super-prefix --work-tree --attr-source'.split(' '),
)
/** Options of subcommands whose value git runs. They may be abbreviated. */
const runningOptions =
  /^(--upl[a-z-]*|--rece[a-z-]*|--ex(?!cl)[a-z]*|-[a-z]?x|--op[a-z-]*|-[a-z]?O|--[a-z-]+-filter|--[a-z]+-cmd)/

/** Returns what git runs: the subcommand alone, and the programs that settings, options and URLs name. */
export function gitRuns(args: readonly Field[]): Inner {
  const at = subcommandAt(args)
  const rest = args.slice(at)
  const before = args.slice(0, at)
  const settings = before.flatMap(({ text }, i) => (text === '-c' ? args.slice(i + 1, i + 2) : []))
  // A blank within a word is written as `% `.
  const urls = args.flatMap(({ text }) => /(?:^|=)ext::(.+)$/s.exec(text)?.[1]?.replaceAll('% ', '\\ ') ?? [])
  const { commands = [], scripts = [] } = subcommandRuns(rest)
  return {
    commands: [...(at > 0 && rest.length > 0 ? [[git, ...rest]] : []), ...commands],
    scripts: [
      ...settings.map(settingRuns),
      // The value is in a variable.
      ...(hasWord(before, /^--config-env/) ? [undefined] : []),
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
