import { stdinUses } from '../config/own-choices.ts'
import { peerModes, peerSandboxes } from '../config/permission-mode.ts'
import { PipeError } from '../error.ts'
import { sandboxModes } from '../machine/sandbox.ts'
import { thinkingLevels } from '../model.ts'
import { permissionModes } from '../permission.ts'
import { answerOptions } from './answer-options.ts'
import { commandOptions } from './command-options.ts'
import { drivingOptions } from './driving-options.ts'
import { eachOptions } from './each-options.ts'
import { givenOptions } from './given/given-options.ts'
import type { Option } from './option.ts'
import { templateOptions } from './run/message/template-options.ts'
import type { Subcommand } from './subcommands.ts'

/** The output formats of a run. Commands have their own. */
export const runFormats = ['text', 'json', 'stream-json', 'pipe'] as const

const sandboxChoices = [...sandboxModes, 'off'] as const

export const options = [
  {
    name: 'model',
    short: 'm',
    value: 'PROVIDER/MODEL',
    sets: (model) => ({ model }),
    help: 'the model, with an optional :thinking level',
  },
  {
    name: 'fallback-model',
    value: 'MODELS',
    sets: (models) => ({ fallback: models.split(',').map((model) => model.trim()) }),
    help: 'models that go on if the model is overloaded or out of quota: a/b,c/d; like the setting fallback',
  },
  {
    name: 'thinking',
    aliases: ['effort'],
    value: 'LEVEL',
    choices: thinkingLevels,
    otherWords: { max: 'xhigh', adaptive: 'medium', disabled: 'off' },
    help: 'off, minimal, low, medium, high or xhigh',
  },
  {
    name: 'agent',
    value: 'NAME',
    help: 'the agent that works: explore, general, review or one of your own; pipe agents lists them',
  },
  { name: 'print', short: 'p', help: 'one-shot, even if the first word is a command' },
  {
    name: 'file',
    short: 'f',
    value: 'PATH',
    help: 'attach a file or pipe (again for more); - is stdin; @PATH or @"A PATH" in the prompt too',
  },
  ...templateOptions,
  {
    name: 'stdin',
    value: 'USE',
    choices: [...stdinUses, 'envelope'],
    sets: (value) => (value === 'envelope' ? {} : { stdin: chosen(stdinUses, value) }),
    help: 'what stdin is: data, prompt, none or the envelope of another pipe -o pipe; also PIPE_STDIN and the setting stdin',
  },
  { name: 'require-stdin', help: 'exit 42 if nothing comes in on stdin' },
  {
    name: 'stdin-first-byte',
    value: 'DUR',
    help: 'give up if nothing comes in on stdin for DUR (exit 42); default: wait',
  },
  {
    name: 'stdin-idle',
    value: 'DUR',
    help: 'give up if stdin falls silent for DUR after its first byte (exit 42); default: wait',
  },
  { name: 'continue', short: 'c', help: 'continue the last session of this folder' },
  {
    name: 'resume',
    short: 'r',
    value: 'ID',
    optional: 'session',
    help: 'continue a session, or go back in it to a message: ID@MESSAGE; default: choose one, or with a prompt the last one',
  },
  {
    name: 'fork',
    value: 'ID',
    optional: 'session',
    help: 'continue in a copy of a session, or of its branch up to a message: ID@MESSAGE; default: the last one',
  },
  { name: 'fork-session', help: 'with -r or -c: continue in a copy, like --fork' },
  {
    name: 'session',
    aliases: ['session-id'],
    short: 's',
    value: 'ID',
    help: 'use this session, or start it',
  },
  {
    name: 'no-session',
    aliases: ['no-session-persistence', 'ephemeral'],
    help: 'save no session; nothing can be undone',
  },
  {
    name: 'no-audit',
    sets: () => ({ audit: 'off' }),
    help: 'keep no audit log of this run, like the setting "audit": "off"',
  },
  {
    name: 'wait-lock',
    value: 'DUR',
    help: 'wait up to DUR (30s) for a session that another process is writing; default: exit 42 at once',
  },
  {
    name: 'record',
    value: 'FILE',
    help: "record the model's replies in FILE, for -m replay/FILE",
  },
  { name: 'cd', short: 'C', value: 'DIR', help: 'work in DIR' },
  {
    name: 'add-dir',
    value: 'DIR',
    list: 'folders',
    help: 'also read, edit and run in DIR; several may follow each other',
  },
  {
    name: 'output-format',
    short: 'o',
    value: 'FORMAT',
    choices: runFormats,
    varies: true,
    help: 'text, json (one object), stream-json (one line per event) or pipe (the conversation, for another pipe to go on with)',
  },
  { name: 'json', help: 'the same as -o json' },
  ...answerOptions,
  ...drivingOptions,
  ...eachOptions,
  { name: 'system-prompt', value: 'TEXT', help: 'replace the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'add to the system prompt' },
  ...givenOptions,
  {
    name: 'permission-mode',
    value: 'MODE',
    choices: ['default', 'accept-edits', 'plan', 'auto', 'bypass', 'dont-ask'],
    sets: (value) => ({
      permissions: { mode: value === 'dont-ask' ? 'default' : chosen(permissionModes, value) },
    }),
    otherWords: { ...peerModes, dontAsk: 'dont-ask' },
    help: 'default, accept-edits, plan, auto, bypass or dont-ask (default, and deny what would be asked)',
  },
  {
    name: 'yolo',
    aliases: ['dangerously-skip-permissions'],
    sets: () => ({ permissions: { mode: 'bypass' } }),
    help: 'the same as --permission-mode bypass',
  },
  {
    name: 'allowed-tools',
    value: 'RULES',
    list: 'rules',
    sets: (rules) => ({ permissions: { allow: splitRules(rules) } }),
    help: 'also allow, without asking: "Bash(git diff:*), Edit", or one rule after the other',
  },
  {
    name: 'disallowed-tools',
    value: 'RULES',
    list: 'rules',
    sets: (rules) => ({ permissions: { deny: splitRules(rules) } }),
    help: 'also deny, whatever else allows it',
  },
  {
    name: 'tools',
    value: 'NAMES',
    list: 'tools',
    help: "give the model these tools only: read,grep or Read,Grep; none for ''; mcp serve: give clients these, or all; default: read,grep,glob,run",
  },
  {
    name: 'sandbox',
    value: 'MODE',
    choices: sandboxChoices,
    sets: (value) => ({ sandbox: { mode: chosen(sandboxChoices, value) } }),
    otherWords: peerSandboxes,
    help: 'read-only, workspace-write or off; default: workspace-write in mode auto, else off',
  },
  {
    name: 'allow-network',
    sets: () => ({ sandbox: { network: true } }),
    help: 'let commands in the sandbox use the network',
  },
  { name: 'trust', help: 'trust this folder for this run' },
  {
    name: 'on-ask',
    value: 'ACTION',
    choices: ['deny', 'stop'],
    help: 'if nobody can be asked: deny the call or stop (exit 45)',
  },
  { name: 'max-turns', value: 'N', help: 'stop after N rounds with the model (exit 53)' },
  { name: 'max-tokens', value: 'N', help: 'stop after N tokens, sent and received (exit 47)' },
  {
    name: 'max-cost',
    aliases: ['max-budget-usd'],
    value: 'USD',
    help: 'stop at this cost in US dollars (exit 47)',
  },
  { name: 'max-time', value: 'DUR', help: 'end the run after DUR, stdin included: 90s, 5m, 1h (exit 47)' },
  { name: 'max-output-tokens', value: 'N', help: 'at most N tokens per reply' },
  { name: 'temperature', value: 'T', help: 'sampling temperature, 0 to 2' },
  { name: 'again', command: 'sessions', help: 'import a session once more, as a new one' },
  { name: 'list', command: 'undo', help: 'list the turns that can be undone' },
  { name: 'redo', command: 'undo', help: 'redo what was undone' },
  {
    name: 'force',
    command: ['undo', 'sessions', 'task'],
    help: 'undo: even if files changed since; sessions: the same as --yes; task: apply what is not done',
  },
  { name: 'all', command: 'sessions', help: 'the sessions of all folders' },
  {
    name: 'limit',
    short: 'n',
    value: 'N',
    command: ['sessions', 'recall'],
    help: 'show at most N sessions; default for a search: 10',
  },
  {
    name: 'older-than',
    value: 'AGE',
    command: 'sessions',
    help: 'prune those not written to for AGE: 90d, 12h, 2w',
  },
  { name: 'keep', value: 'N', command: 'sessions', help: 'prune all but the N written to last' },
  {
    name: 'dry-run',
    help: 'show what would be sent to the model, with its tokens and cost; send, run and save nothing; in commands: what would be deleted or taken over',
  },
  {
    name: 'yes',
    short: 'y',
    command: ['sessions', 'memory', 'import-config', 'mcp', 'plugin'],
    help: 'delete, add, update or take over without asking',
  },
  { name: 'user', command: 'memory', help: 'for all projects, not only this one' },
  {
    name: 'tool',
    value: 'NAME',
    command: ['permissions', 'hooks'],
    help: 'the tool',
  },
  {
    name: 'input',
    value: 'JSON',
    command: 'hooks',
    help: 'the arguments of the call, or the fields of another event',
  },
  {
    name: 'command',
    value: 'LINE',
    command: 'permissions',
    help: 'the command',
  },
  {
    name: 'path',
    value: 'PATH',
    command: 'permissions',
    help: 'the file',
  },
  {
    name: 'url',
    value: 'URL',
    command: 'permissions',
    help: 'the URL',
  },
  ...commandOptions,
  { name: 'screen-reader', help: 'talk line by line, in words; also PIPE_SCREEN_READER=1' },
  { name: 'quiet', short: 'q', help: 'only errors on stderr' },
  { name: 'verbose', short: 'v', help: 'tool activity on stderr, even if it is not a terminal' },
  { name: 'help', short: 'h', help: 'this text; --help exit-codes for the exit codes' },
  { name: 'version', short: 'V', help: 'print the version' },
] as const satisfies readonly Option[]

/** Returns the choice that a value names. Values are checked against the choices before. */
function chosen<T extends string>(choices: readonly T[], value: string): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new PipeError('usage', `${value} is not one of ${choices.join(', ')}`)
  return found
}

/** Splits `Bash(git diff:*), Read` into two rules. Parts of a broken rule are invalid, and rejected when rules are read. */
export function splitRules(text: string): string[] {
  return text.match(/(?:\([^()]*\)|[^\s,])+/g) ?? []
}

/** Flags that this version lacks. They are reported as missing, not as typos. */
export const missingFlags: readonly string[] = ['debug', 'i']

/** Returns the only subcommands that take an option; none for a flag of runs. */
export function ownersOf({ command }: Option): readonly Subcommand[] {
  return command === undefined ? [] : [command].flat()
}

export type OptionName = (typeof options)[number]['name']
