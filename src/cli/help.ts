import { nearest } from '../ranking/nearest.ts'
import { options, ownersOf } from './cli-options.ts'
import {
  actionNames,
  asPrompt,
  type CliAction,
  type CliCommand,
  type CliCommands,
  formatsOf,
  requireCommand,
  spellAction,
} from './commands/cli-command.ts'
import { usageError } from './flags.ts'
import { helpFor, type Option } from './option.ts'
import { type Subcommand, subcommands } from './subcommands.ts'

const introduction = `pipe: a coding agent for the terminal

Usage
  pipe                       the terminal UI: a conversation
  pipe "prompt"              one answer on stdout, progress on stderr
  … | pipe "prompt"          stdin is data
  … | pipe                   stdin is the prompt
  pipe -- demo               a prompt that starts with the name of a command, or with a dash
`

const closing = `
A model is provider/model, such as anthropic/claude-sonnet-5-5, openai/gpt-5.6 or ollama/qwen3:8b.
Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY …) or pipe auth. Settings come from
~/.config/pipe/config.json, the project's .pipe/config.json and .pipe/config.local.json, PIPE_MODEL, PIPE_PERMISSION_MODE,
PIPE_STDIN and PIPE_DATABASE_URL, and flags; later ones win.
`

const table: readonly Option[] = options.filter((option: Option) => option.hasNoEffect !== true)

/** Formats the output of `pipe help` for a topic: everything, a command, or the exit codes. Throws `usage` for an unknown topic. */
export function helpOn(topic: readonly string[], commands: CliCommands): string {
  const [first, ...rest] = topic
  if (first === undefined) return helpText(commands)
  if (first === 'exit-codes' && rest.length === 0) return exitCodeText()
  const name = subcommands.find((word) => word === first)
  if (name === undefined) throw unknownTopic(topic)
  const command = requireCommand(name, commands)
  if (rest.some((word) => !actionNames(command).includes(word))) throw unknownTopic(topic)
  return commandHelp(name, command)
}

function unknownTopic(topic: readonly string[]) {
  const [first = ''] = topic
  const close = nearest(first, ['exit-codes', ...subcommands])
  const hint = close === undefined || close === first ? '' : ` Did you mean pipe help ${close}?`
  return usageError(
    `pipe help takes the name of a command or exit-codes, not ${JSON.stringify(topic.join(' '))}.${hint} ${asPrompt('help')}`,
  )
}

/** Formats the output of `--help`: one line per command, and one per flag of a run. */
function helpText(commands: CliCommands): string {
  const listed = Object.entries(commands).map(([name, command]) => {
    const actions = actionNames(command).join(', ')
    return { term: `pipe ${name}`, text: command.about + (actions === '' ? '' : ` (${actions})`) }
  })
  const flags = table.filter(({ command }) => command === undefined).map(flagRow)
  const more = '\n  pipe COMMAND --help explains a command.\n'
  return `${introduction}\nCommands\n${rows(listed, 25)}${more}\nFlags\n${rows(flags)}${closing}`
}

/** Formats the output of `pipe COMMAND --help`. */
function commandHelp(name: Subcommand, command: CliCommand): string {
  const { about, actions, flags, example, exitCodes } = command
  const isMain = (action: CliAction) =>
    action === actions[0] && actions.length > 1 && command.needsAction !== true
  const forms = actions.map((action) => ({
    term: form(name, action),
    text: isMain(action) ? `${action.help} (default)` : action.help,
  }))
  const documents = actions.flatMap(({ name: word, json }) =>
    json === undefined ? [] : [{ term: word ?? name, text: json }],
  )
  const own = table.flatMap((option) => {
    const help = helpFor(option, name)
    if (flags.some((one) => one === option.name)) return [{ ...option, help }]
    const takers = actions.filter((action) => action.flags?.some((one) => one === option.name))
    const names = takers.flatMap((action) => action.name ?? []).join(', ')
    if (takers.length > 0) return [{ ...option, help: names === '' ? help : `${names}: ${help}` }]
    return ownersOf(option).includes(name) ? [{ ...option, help }] : []
  })
  return [
    `pipe ${name}: ${about}\n`,
    section('Usage', forms),
    section(
      'Flags',
      own.map((option) =>
        flagRow(option.varies === true ? { ...option, help: formatHelp(actions) } : option),
      ),
    ),
    section('Output with --json', documents),
    `\nExample\n  ${example}\n`,
    section('Exit codes', meanings.filter(([code]) => [0, 1, 2, ...exitCodes].includes(code)).map(codeRow)),
  ].join('')
}

/** Explains `-o` of a command, and of its actions with formats of their own. */
function formatHelp(actions: readonly CliAction[]): string {
  const own = actions.flatMap(({ name, formats = [] }) => {
    const [main, ...others] = formats
    return main === undefined ? [] : [{ name, list: [`${main} (default)`, ...others].join(', ') }]
  })
  const [first] = own
  // A command with one action has no other formats.
  if (first !== undefined && first.name === undefined) return first.list
  const plain = actions.flatMap((action) => (formatsOf(action).join() === 'text' ? (action.name ?? []) : []))
  const listed = own.map(({ name, list }) => `; for ${name}: ${list}`).join('')
  return `text or json${listed}${plain.length === 0 ? '' : `; text alone for ${plain.join(', ')}`}`
}

function form(name: Subcommand, action: CliAction): string {
  return ['pipe', name, spellAction(action)].join(' ').trimEnd()
}

interface Row {
  readonly term: string
  readonly text: string
}

function section(heading: string, listed: readonly Row[]): string {
  return listed.length === 0 ? '' : `\n${heading}\n${rows(listed)}`
}

function rows(listed: readonly Row[], least = 0): string {
  const width = Math.max(least, ...listed.map(({ term }) => term.length))
  return listed.map(({ term, text }) => `  ${term.padEnd(width)}  ${text}\n`).join('')
}

function flagRow({ name, short, value, optional, help }: Option): Row {
  const argument =
    value === undefined
      ? ''
      : optional === 'inline'
        ? `[=${value}]`
        : optional !== undefined
          ? ` [${value}]`
          : ` ${value}`
  return { term: `${short === undefined ? '    ' : `-${short}, `}--${name}${argument}`, text: help }
}

/** Explains each exit code. The numbers are in the root's table. */
export const meanings: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'unexpected failure'],
  [2, 'usage: a flag or argument is wrong'],
  [41, 'authentication: no key, or a rejected one'],
  [42, 'input: an unusable file, session, prompt or request'],
  [44, 'sandbox'],
  [45, 'a permission was needed and --on-ask stop was given'],
  [46, 'the model refused'],
  [47, 'the budget is spent'],
  [48, 'the answer was cut at the length limit'],
  [49, 'the answer does not match the schema'],
  [50, 'the check failed'],
  [51, 'the provider was not available, after retries'],
  [52, 'configuration: settings, model or provider'],
  [53, 'the turn limit was reached'],
  [54, 'a tool could not run at all, or the session or its audit log could not be written'],
  [55, 'the workspace is not trusted'],
  [129, 'ended by SIGHUP'],
  [130, 'interrupted (SIGINT)'],
  [131, 'ended by SIGQUIT'],
  [141, 'the reader closed stdout'],
  [143, 'ended by SIGTERM'],
]

/** Formats the exit codes, one line each, in order. */
function exitCodeText(): string {
  return meanings.map(([code, meaning]) => `${codeRow([code, meaning]).term}  ${meaning}\n`).join('')
}

function codeRow([code, meaning]: readonly [number, string]): Row {
  return { term: String(code).padStart(3), text: meaning }
}
