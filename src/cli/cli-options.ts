import { peerModes, peerSandboxes } from '../config/permission-mode.ts'
import { sandboxModes } from '../machine/sandbox.ts'
import { thinkingLevels } from '../model.ts'
import { permissionModes } from '../permission.ts'
import { answerOptions } from './answer-options.ts'
import { commandOptions } from './command-options.ts'
import { drivingOptions } from './driving-options.ts'
import { eachOptions } from './each-options.ts'
import { givenOptions } from './given/given-options.ts'
import { stdinOptions } from './given/stdin-options.ts'
import { chosen, type Option } from './option.ts'
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
    helpIn: {
      race: 'the models to compare: -m a,b,c, each with an optional :thinking level',
      worker: 'the model of tasks that name none',
      attach: 'with --new: the model of the session',
    },
  },
  {
    name: 'fallback-model',
    value: 'MODELS',
    sets: (models) => ({ fallback: models.split(',').map((model) => model.trim()) }),
    help: 'models to continue with if the model is overloaded or out of quota: a/b,c/d; like the setting fallback',
  },
  {
    name: 'thinking',
    aliases: ['effort'],
    value: 'LEVEL',
    choices: thinkingLevels,
    otherWords: { max: 'xhigh', adaptive: 'medium', enabled: 'medium', disabled: 'off' },
    help: 'off, minimal, low, medium, high or xhigh',
  },
  {
    name: 'agent',
    value: 'NAME',
    help: 'the agent that works: explore, general, review or one of your own; pipe agents lists them',
    helpIn: {
      worker: 'take only tasks for this agent; default: for pipe and each agent defined here',
      attach: 'with --new: the agent of the session',
    },
  },
  { name: 'print', short: 'p', help: 'answer once, even if the first word is a command' },
  {
    name: 'prompt-interactive',
    short: 'i',
    value: 'PROMPT',
    help: 'start the terminal UI with this prompt as the first message',
  },
  {
    name: 'bg',
    aliases: ['background'],
    help: 'hand the prompt to your running pipe serve, print the id of its session, and return; pipe attach shows it',
  },
  {
    name: 'file',
    short: 'f',
    value: 'PATH',
    help: 'attach a file or pipe (repeat for more); - is stdin; @PATH or @"A PATH" in the prompt works too',
  },
  ...templateOptions,
  ...stdinOptions,
  { name: 'continue', short: 'c', help: 'continue the last session of this folder' },
  {
    name: 'resume',
    short: 'r',
    value: 'ID',
    optional: 'session',
    help: 'continue a session, or go back to a message of it: ID@MESSAGE; default: choose one, or with a prompt the last one',
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
    help: 'use the session of this id or name, or start it; with --fork: name the copy',
    helpIn: { undo: 'only turns of this session', audit: 'feedback: the session of the message' },
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
    help: 'also read, edit and run in DIR, or in several: --add-dir A B',
  },
  {
    name: 'output-format',
    short: 'o',
    value: 'FORMAT',
    choices: runFormats,
    varies: true,
    help: 'text, json (one object), stream-json (one line per event) or pipe (the conversation, for another pipe to continue)',
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
    helpIn: { attach: 'with --new: the mode of the session, as in a run' },
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
    help: 'also allow without asking: "Bash(git diff:*), Edit", or one rule after the other',
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
    help: "give the model only these tools: read,grep or Read,Grep; none for ''",
    helpIn: { mcp: 'give clients only these tools, or all; default: read,grep,glob,run' },
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
    helpIn: { worker: 'stop once all its tasks together cost this much in US dollars (exit 47)' },
  },
  { name: 'max-time', value: 'DUR', help: 'end the run after DUR, stdin included: 90s, 5m, 1h (exit 47)' },
  { name: 'max-output-tokens', value: 'N', help: 'allow N tokens per reply' },
  { name: 'temperature', value: 'T', help: 'sampling temperature, 0 to 2' },
  { name: 'again', command: 'sessions', help: 'once more, as a new session' },
  { name: 'list', command: 'undo', help: 'list the turns that can be undone' },
  { name: 'redo', command: 'undo', help: 'redo what was undone' },
  {
    name: 'force',
    command: ['undo', 'sessions', 'task'],
    help: 'undo even if files changed since',
    helpIn: { sessions: 'the same as --yes', task: 'take the changes of an unfinished task too' },
  },
  { name: 'all', command: 'sessions', help: 'the sessions of all folders' },
  {
    name: 'limit',
    short: 'n',
    value: 'N',
    command: ['sessions', 'recall'],
    help: 'show at most N sessions',
    helpIn: {
      sessions: 'show at most N sessions; search: 10 by default',
      recall: 'show at most N sessions; default: 10',
    },
  },
  {
    name: 'older-than',
    value: 'AGE',
    command: 'sessions',
    help: 'delete sessions not written to for AGE: 90d, 12h, 2w',
  },
  { name: 'keep', value: 'N', command: 'sessions', help: 'keep the N sessions written to last' },
  {
    name: 'dry-run',
    help: 'show what the model would get, with its tokens and cost; send, run and save nothing',
    helpIn: {
      sessions: 'show what would be deleted, and delete nothing',
      'import-config': 'show what would be copied, and change nothing',
      mcp: 'show what would be copied, and change nothing',
    },
  },
  {
    name: 'yes',
    short: 'y',
    command: ['sessions', 'memory', 'import-config', 'mcp', 'plugin'],
    help: 'delete without asking',
    helpIn: {
      'import-config': 'copy without asking',
      mcp: 'copy without asking',
      plugin: 'do not ask',
    },
  },
  { name: 'user', command: 'memory', help: 'for all projects, not only this one' },
  ...commandOptions,
  { name: 'screen-reader', help: 'talk in lines of words; also PIPE_SCREEN_READER=1' },
  { name: 'quiet', short: 'q', help: 'write only errors to stderr' },
  {
    name: 'verbose',
    aliases: ['debug', 'd'],
    filtered: 'debug',
    short: 'v',
    help: 'write tool activity to stderr, even if it is not a terminal',
  },
  { name: 'help', short: 'h', help: 'print this text; --help exit-codes lists the exit codes' },
  { name: 'version', short: 'V', help: 'print the version' },
] as const satisfies readonly Option[]

/** Splits `Bash(git diff:*), Read` into two rules. Parts of a broken rule are invalid, and rejected when rules are read. */
export function splitRules(text: string): string[] {
  return text.match(/(?:\([^()]*\)|[^\s,])+/g) ?? []
}

/** Returns the only subcommands that take an option; none for a flag of runs. */
export function ownersOf({ command }: Option): readonly Subcommand[] {
  return command === undefined ? [] : [command].flat()
}

export type OptionName = (typeof options)[number]['name']
