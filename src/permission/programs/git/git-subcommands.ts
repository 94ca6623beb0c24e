import { type Field, knownField } from '../../bash/fields.ts'
import { byName } from '../by-name.ts'
import type { Inner } from '../program.ts'
import { joined, valuesAfter } from '../word-fields.ts'
import { loose } from '../wrapping.ts'
import { configRuns, settingRuns } from './git-settings.ts'

type Running = (args: readonly Field[], operands: readonly Field[]) => Partial<Inner>

/** Returns what a subcommand of git runs, as far as its own words say. */
export function subcommandRuns([subcommand, ...args]: readonly Field[]): Partial<Inner> {
  const name = subcommand?.text ?? ''
  const running = internal.test(name) ? internalRuns : runningBySubcommand.get(name)
  const operands = args.filter(({ text }) => !text.startsWith('-'))
  return running?.(args, operands) ?? {}
}

/** Parts of git that it calls itself. A name with a slash is a program in a folder `git-NAME`. */
const internal = /--|\/|^remote-|^shell$/

/** Tries each word as the start of a command. What else such a part runs is unknown. */
function internalRuns(args: readonly Field[]): Partial<Inner> {
  const { commands = [], scripts = [] } = loose.mayRun?.(args) ?? {}
  return { commands, scripts: [...scripts, ...valuesAfter(args, /^-[a-z-]+/), undefined] }
}

/** For a subcommand that runs the value of these options. */
const runsAfter =
  (options: RegExp): Running =>
  (args) => ({ scripts: valuesAfter(args, options) })

/** Names a folder with hooks. */
const template = /^--te[a-z]*/
/** Names a program, or the path of a script. */
const mergeTool = /^(-[a-z]*t|--tool(?!-))/
const longStrategy = /^--str[a-z]*(?![a-z-])/
/** The excluded letters take a value, so an `s` after them is no option. */
const shortStrategy = /^-[^-sCFmSxXj]*s/
const ownStrategy = /^(ort|recursive|resolve|octopus|ours|subtree)$/

/** The programs of strategies that are not git's own. */
function strategies(args: readonly Field[], ...options: readonly RegExp[]): readonly (string | undefined)[] {
  return options
    .flatMap((option) => valuesAfter(args, option))
    .filter((name) => !ownStrategy.test(name ?? ''))
    .map((name) => name && `git-merge-${name}`)
}

const runningBySubcommand = byName<Running>({
  bisect: (args, [verb]) => (verb?.text === 'run' ? { commands: [args.slice(args.indexOf(verb) + 1)] } : {}),
  submodule: (args, [verb]) => {
    if (verb?.text !== 'foreach') return {}
    const each = args.slice(args.indexOf(verb) + 1)
    const first = each.findIndex(({ text }) => !text.startsWith('-'))
    return first === -1 ? {} : { scripts: [joined(each.slice(first))] }
  },
  'merge pull': (args) => ({ scripts: strategies(args, shortStrategy, longStrategy) }),
  'cherry-pick revert': (args) => ({ scripts: strategies(args, longStrategy) }),
  rebase: (args) => ({
    scripts: [...strategies(args, shortStrategy, longStrategy), ...valuesAfter(args, /^-[a-z]*x/)],
  }),
  'merge-index': (args, [program]) => (program ? { commands: [args.slice(args.indexOf(program))] } : {}),
  mergetool: runsAfter(mergeTool),
  difftool: (args) => ({ scripts: [...valuesAfter(args, /^-[a-z]*x/), ...valuesAfter(args, mergeTool)] }),
  instaweb: runsAfter(/^(-[a-z]*[bd]|--[bh][a-z]*)/),
  daemon: runsAfter(/^--access-hook/),
  // It runs git with these words in repositories that its settings list.
  'for-each-repo': (args) => ({
    commands: args.map((_, i) => [knownField('git'), ...args.slice(i)]),
    scripts: [undefined],
  }),
  init: runsAfter(template),
  'send-email': (args) => {
    const servers = valuesAfter(args, /^--?smtp-server(?==|$)/)
    return { scripts: servers.filter((server) => server?.includes('/') !== false) }
  },
  clone: (args) => ({
    scripts: [
      ...valuesAfter(args, /^-u/),
      ...valuesAfter(args, template),
      ...valuesAfter(args, /^(-c|--config)/).map((text) =>
        settingRuns({ text: text ?? '', known: text !== undefined }),
      ),
    ],
  }),
  config: (args, operands) => ({ scripts: configRuns(args, operands) }),
})
