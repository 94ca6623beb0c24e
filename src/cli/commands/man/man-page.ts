import { options, ownersOf } from '../../cli-options.ts'
import { meanings } from '../../help.ts'
import { helpFor, type Option } from '../../option.ts'
import type { Subcommand } from '../../subcommands.ts'
import { version } from '../../version.ts'
import { type CliCommand, type CliCommands, spellAction, takesFlag } from '../cli-command.ts'

const table: readonly Option[] = options

/** Writes the manual page in roff, from the table that the parser and the help use. */
export function manPage(commands: CliCommands): string {
  const listed = Object.entries(commands) as readonly (readonly [Subcommand, CliCommand])[]
  const ofRuns = table.filter((option) => ownersOf(option).length === 0)
  return [
    `.TH PIPE 1 "" ${quoted(`pipe ${version}`)} "User Commands"`,
    ...section('NAME', [`pipe \\- a coding agent for the terminal that behaves like a Unix pipe`]),
    ...section('SYNOPSIS', synopsis),
    ...section('DESCRIPTION', description),
    ...section(
      'OPTIONS',
      ofRuns.flatMap((option) => item(flag(option), option.help)),
    ),
    ...section('COMMANDS', [
      escaped('If the first word names a command, it runs that command. pipe COMMAND --help explains each.'),
      ...listed.flatMap(([name, command]) => commandPart(name, command)),
    ]),
    ...section(
      'EXIT STATUS',
      meanings.flatMap(([code, meaning]) => item(`\\fB${code}\\fR`, meaning)),
    ),
    ...section(
      'ENVIRONMENT',
      environment.flatMap(([name, help]) => item(bold(name), help)),
    ),
    ...section(
      'FILES',
      files.flatMap(([path, help]) => item(`\\fI${escaped(path)}\\fR`, help)),
    ),
    ...section('SEE ALSO', [escaped('pipe help TERM explains a word; pipe doctor reports what works here.')]),
    '',
  ].join('\n')
}

const synopsis = [
  '.nf',
  '\\fBpipe\\fR [\\fIOPTIONS\\fR] [\\fIPROMPT\\fR]',
  '\\fIcommand\\fR | \\fBpipe\\fR [\\fIOPTIONS\\fR] [\\fIPROMPT\\fR]',
  '\\fBpipe\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIWORDS\\fR]',
  '.fi',
]

const description = [
  ...[
    'Connects a user, or a shell script, to a language model and a file system through tools. Without a prompt, on a terminal, it opens a conversation.',
    'With a prompt it writes one answer to stdout and nothing else; progress and questions go to stderr or the terminal, and the exit status says how it went.',
    'What comes in on stdin is data for the prompt; without a prompt it is the prompt.',
  ].map(escaped),
]

const environment = [
  ['PIPE_HOME', 'the folder of settings and sessions, instead of the XDG folders'],
  ['PIPE_MODEL', 'the model, like -m'],
  ['PIPE_PERMISSION_MODE', 'the mode, like --permission-mode'],
  ['PIPE_STDIN', 'what stdin is, like --stdin'],
  ['PIPE_DATABASE_URL', 'the database of tasks'],
  ['<NAME>_API_KEY', 'the key of a provider; pipe auth stores it too'],
  ['NO_COLOR, TERM=dumb', 'no colours, no escape sequences'],
  ['VISUAL, EDITOR', 'the editor for long texts'],
] as const

const files = [
  ['~/.config/pipe/config.json', 'your settings'],
  ['.pipe/config.json, .pipe/config.local.json', 'settings of a project'],
  ['~/.config/pipe/commands/NAME.md', 'a prompt of yours: /NAME'],
  ['AGENTS.md', 'instructions for the agent'],
] as const

function commandPart(name: Subcommand, command: CliCommand): readonly string[] {
  const { about, actions, example } = command
  const own = table.filter(
    (option) =>
      (ownersOf(option).length > 0 ||
        actions.some(({ flags }) => flags?.some((one) => one === option.name))) &&
      takesFlag(name, command, undefined, option),
  )
  return [
    `.SS ${quoted(`pipe ${name}`)}`,
    `${escaped(about)}.`,
    ...actions.flatMap((action) => item(bold(`pipe ${name} ${spellAction(action)}`.trimEnd()), action.help)),
    ...own.flatMap((option) => item(flag(option), helpFor(option, name))),
    ...['.PP', 'Example:', '.PP', '.RS', '.nf', escaped(example), '.fi', '.RE'],
  ]
}

function flag({ name, short, value, optional }: Option): string {
  const names = [...(short === undefined ? [] : [`-${short}`]), `--${name}`].map(bold).join(', ')
  if (value === undefined) return names
  const shown = `\\fI${escaped(value)}\\fR`
  return optional === undefined ? `${names} ${shown}` : `${names} [${shown}]`
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return [`.SH ${quoted(heading)}`, ...lines]
}

function item(term: string, text: string): readonly string[] {
  return ['.TP', term, escaped(text)]
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`
}

function quoted(text: string): string {
  return `"${escaped(text)}"`
}

const signs: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Writes a text so that roff prints each of its characters as it is. */
function escaped(text: string): string {
  const safe = text.replace(/[\\'"`^~-]|[^\x20-\x7e]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return signs[sign] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
  return safe.startsWith('.') ? `\\&${safe}` : safe
}
