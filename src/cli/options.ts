import { peerModes, peerSandboxes } from '../config/permission-mode.ts'

/** A flag of the command line, for the parser, the help and the search for the nearest flag. */
export interface Option {
  readonly name: string
  readonly short?: string
  /** The value's placeholder in the help; absent for a switch. */
  readonly value?: string
  /** The value is optional (`-r`, `--fork`): the next word is taken only if it names a session. */
  readonly optionalId?: boolean
  readonly choices?: readonly string[]
  /** Accepted synonyms of its choices, not shown. */
  readonly otherWords?: Readonly<Record<string, string>>
  /** The only subcommand that takes it. */
  readonly command?: Subcommand
  /** Accepted synonyms of the flag, not shown. */
  readonly aliases?: readonly string[]
  readonly help: string
}

export const options = [
  { name: 'model', short: 'm', value: 'PROVIDER/MODEL', help: 'the model, with an optional :thinking level' },
  {
    name: 'thinking',
    value: 'LEVEL',
    choices: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    help: 'off, minimal, low, medium, high or xhigh',
  },
  { name: 'print', short: 'p', help: 'one-shot, whatever the first word is' },
  {
    name: 'file',
    short: 'f',
    value: 'PATH',
    help: 'attach a file or pipe (again for more); - is stdin; @PATH or @"A PATH" in the prompt too',
  },
  {
    name: 'stdin',
    value: 'USE',
    choices: ['data', 'prompt', 'none'],
    help: 'what stdin is: data, prompt or none; also PIPE_STDIN and the setting stdin',
  },
  { name: 'require-stdin', help: 'give up where nothing comes in on stdin (exit 42)' },
  {
    name: 'stdin-first-byte',
    value: 'DUR',
    help: 'give up where nothing comes in on stdin for DUR (exit 42); default: wait',
  },
  {
    name: 'stdin-idle',
    value: 'DUR',
    help: 'give up where stdin has begun and stays silent for DUR (exit 42); default: wait',
  },
  { name: 'continue', short: 'c', help: 'go on with the last session of this folder' },
  {
    name: 'resume',
    short: 'r',
    value: 'ID',
    optionalId: true,
    help: 'go on with a session; without ID the last one',
  },
  {
    name: 'fork',
    value: 'ID',
    optionalId: true,
    help: 'go on in a copy of a session; without ID of the last one',
  },
  { name: 'session', short: 's', value: 'ID', help: 'use this session, or begin it' },
  { name: 'no-session', help: 'save no session, and nothing to undo' },
  { name: 'no-audit', help: 'keep no audit log of this run, as the setting "audit": "off"' },
  {
    name: 'wait-lock',
    value: 'DUR',
    help: 'wait up to DUR for a session that another process writes (30s); default: exit 42 at once',
  },
  {
    name: 'record',
    value: 'FILE',
    help: 'write what the model says to FILE, to be played by -m replay/FILE',
  },
  { name: 'cd', short: 'C', value: 'DIR', help: 'work in DIR' },
  {
    name: 'add-dir',
    value: 'DIR',
    help: 'work in DIR too (again for more): read, edit and run there as here',
  },
  {
    name: 'output-format',
    short: 'o',
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    help: 'text, json (one object) or stream-json (a line an event)',
  },
  { name: 'json', help: 'the same as -o json' },
  { name: 'system-prompt', value: 'TEXT', help: 'replace the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'add to the system prompt' },
  {
    name: 'permission-mode',
    value: 'MODE',
    choices: ['default', 'accept-edits', 'plan', 'auto', 'bypass'],
    otherWords: peerModes,
    help: 'default, accept-edits, plan, auto or bypass',
  },
  { name: 'yolo', aliases: ['dangerously-skip-permissions'], help: 'the same as --permission-mode bypass' },
  {
    name: 'allowed-tools',
    value: 'RULES',
    help: 'allow too, without a question: "Bash(git diff:*), Edit" (again for more)',
  },
  { name: 'disallowed-tools', value: 'RULES', help: 'deny too, whatever else allows it' },
  {
    name: 'sandbox',
    value: 'MODE',
    choices: ['read-only', 'workspace-write', 'off'],
    otherWords: peerSandboxes,
    help: 'where commands run: read-only, workspace-write or off; without it in a sandbox in mode auto only',
  },
  { name: 'allow-network', help: 'let commands in the sandbox use the network' },
  { name: 'trust', help: 'trust this folder for this run' },
  {
    name: 'on-ask',
    value: 'ACTION',
    choices: ['deny', 'stop'],
    help: 'when nobody can be asked: deny the call or stop (exit 45)',
  },
  { name: 'max-turns', value: 'N', help: 'stop after N rounds with the model (exit 53)' },
  { name: 'max-tokens', value: 'N', help: 'stop after N tokens, sent and received (exit 47)' },
  { name: 'max-cost', value: 'USD', help: 'stop after so many US dollars (exit 47)' },
  { name: 'max-time', value: 'DUR', help: 'end the run after DUR, stdin included: 90s, 5m, 1h (exit 47)' },
  { name: 'max-output-tokens', value: 'N', help: 'at most N tokens a reply' },
  { name: 'temperature', value: 'T', help: 'sampling temperature, 0 to 2' },
  { name: 'list', command: 'undo', help: 'the turns that can be undone' },
  { name: 'redo', command: 'undo', help: 'bring back what was undone' },
  { name: 'force', command: 'undo', help: 'also where files were changed since' },
  {
    name: 'tool',
    value: 'NAME',
    command: 'permissions',
    help: 'the tool that is called',
  },
  {
    name: 'command',
    value: 'LINE',
    command: 'permissions',
    help: 'what bash is to run',
  },
  {
    name: 'path',
    value: 'PATH',
    command: 'permissions',
    help: 'the file that is meant',
  },
  {
    name: 'url',
    value: 'URL',
    command: 'permissions',
    help: 'what is to be fetched',
  },
  { name: 'head', value: 'HASH', command: 'audit', help: 'a head it had, kept elsewhere' },
  { name: 'quiet', short: 'q', help: 'nothing on stderr but errors' },
  { name: 'verbose', short: 'v', help: 'tool activity on stderr, also into a file' },
  { name: 'help', short: 'h', help: 'this text; --help exit-codes for the exit codes' },
  { name: 'version', short: 'V', help: 'print the version' },
] as const satisfies readonly Option[]

/** Flags that this version lacks. They are reported as such, not as typing errors. */
export const missingFlags: readonly string[] = [
  'check',
  'debug',
  'each',
  'i',
  'input-format',
  'j',
  'json-schema',
  'patch',
  'screen-reader',
  'tools',
]

export type OptionName = (typeof options)[number]['name']

/** Words that are commands in first place, including those that this version lacks. */
export const subcommands = [
  'sessions',
  'audit',
  'permissions',
  'trust',
  'undo',
  'replay',
  'recall',
  'models',
  'auth',
  'mcp',
  'config',
  'doctor',
  'schema',
  'demo',
  'completion',
  'task',
  'elf',
  'race',
  'worker',
  'serve',
  'attach',
  'memory',
  'skills',
  'plugin',
  'acp',
  'help',
] as const

export type Subcommand = (typeof subcommands)[number]
