import { PipeError } from '../../error.ts'
import { thinkingLevels } from '../../model.ts'
import { nearest } from '../../ranking/nearest.ts'
import type { FrontendApi } from '../conversation-view.ts'
import { calledPrompt, withArguments } from '../own-prompt.ts'
import initPrompt from './init.md'
import type { SlashCommand } from './parsed-slash-command.ts'
import {
  modes,
  readAll,
  readCopied,
  readForce,
  readLevel,
  readMemory,
  readMode,
  readTitle,
  readWords,
} from './slash-arguments.ts'

interface Definition {
  readonly usage: string
  /** Alternative name. */
  readonly alias?: string
  readonly help: string
  /** Ability that the command requires. */
  readonly needs?: keyof FrontendApi
  readonly read: (argument: string | undefined, api: FrontendApi) => SlashCommand
}

const commands: Readonly<Record<string, Definition>> = {
  help: { usage: '/help', help: 'show this list', read: () => ({ type: 'help' }) },
  model: {
    usage: '/model [NAME]',
    help: 'choose another model, from the next round on',
    needs: 'chooseModel',
    read: (name) => ({ type: 'model', name }),
  },
  thinking: {
    usage: '/thinking [LEVEL]',
    help: `choose how much the model thinks: ${thinkingLevels.join(', ')}`,
    needs: 'thinking',
    read: (text, { thinking }) => ({
      type: 'thinking',
      level: text === undefined ? undefined : readLevel(text, thinking?.levels()),
    }),
  },
  mode: {
    usage: '/mode [MODE]',
    help: `show the permission mode, or set another: ${modes.join(', ')}`,
    needs: 'setMode',
    read: (text, api) => ({
      type: 'mode',
      mode: text === undefined ? undefined : readMode(text, api),
    }),
  },
  compact: {
    usage: '/compact [keep …]',
    help: 'summarise the history, and say what the summary must keep',
    read: (words) => ({ type: 'compact', keep: words?.replace(/^keep(\s+|$)/, '') || undefined }),
  },
  context: {
    usage: '/context',
    help: 'show what fills the context window',
    needs: 'contextUse',
    read: () => ({ type: 'context' }),
  },
  cost: {
    usage: '/cost',
    help: 'show the tokens and the cost of this conversation, by model and elf',
    read: () => ({ type: 'cost' }),
  },
  diff: {
    usage: '/diff [all]',
    help: 'show what the last turn changed in the files; all: the whole conversation',
    read: (argument) => ({ type: 'diff', isAll: readAll(argument) }),
  },
  copy: {
    usage: '/copy [N|code]',
    help: 'copy the last answer, the Nth from the end, or the last code block',
    read: (argument) => ({ type: 'copy', what: readCopied(argument) }),
  },
  undo: {
    usage: '/undo [force]',
    help: 'restore the files as they were before the last turn; force: even those changed since',
    needs: 'undo',
    read: (argument) => ({ type: 'undo', redo: false, force: readForce(argument) }),
  },
  redo: {
    usage: '/redo [force]',
    help: 'redo what was undone',
    needs: 'undo',
    read: (argument) => ({ type: 'undo', redo: true, force: readForce(argument) }),
  },
  clear: {
    usage: '/clear',
    help: 'start a new conversation',
    needs: 'newConversation',
    read: () => ({ type: 'clear' }),
  },
  resume: {
    usage: '/resume [ID]',
    help: 'continue an earlier conversation of this folder; without ID, choose one',
    needs: 'openConversation',
    read: (id) => ({ type: 'resume', id }),
  },
  fork: {
    usage: '/fork',
    help: 'go on in a copy of this conversation; this one stays as it is',
    needs: 'fork',
    read: () => ({ type: 'fork' }),
  },
  rename: {
    usage: '/rename TITLE',
    help: 'name this conversation, as lists show it',
    needs: 'rename',
    read: (title) => ({ type: 'rename', title: readTitle(title) }),
  },
  rewind: {
    usage: '/rewind',
    help: 'go back to before one of your messages: the conversation, the files, or both',
    needs: 'goTo',
    read: (argument) => ({ type: 'rewind', argument }),
  },
  tree: {
    usage: '/tree',
    help: 'show all branches of this conversation, and go to any message',
    needs: 'goTo',
    read: (argument) => ({ type: 'tree', argument }),
  },
  recall: {
    usage: '/recall WORDS',
    help: 'find earlier conversations by words in their messages',
    needs: 'recall',
    read: (words) => ({ type: 'recall', words: readWords(words) }),
  },
  remember: {
    usage: '/remember TEXT',
    help: 'keep a note for later conversations in this project; --user TEXT: in all projects',
    needs: 'remember',
    read: (text) => ({ type: 'remember', ...readMemory(text) }),
  },
  export: {
    usage: '/export [FILE]',
    help: 'write the conversation to a new .html, .md, .txt or .json file; default: a page in this folder',
    needs: 'exportConversation',
    read: (file) => ({ type: 'export', file }),
  },
  elves: {
    usage: '/elves',
    help: 'show the elves of this conversation: what they do, their results; stop one',
    needs: 'stopElf',
    read: () => ({ type: 'elves' }),
  },
  tasks: {
    usage: '/tasks',
    help: 'show the board of tasks: answer, cancel or apply them there',
    needs: 'tasks',
    read: () => ({ type: 'tasks' }),
  },
  task: {
    usage: '/task TEXT',
    help: 'put a task on the board, for a worker to carry out',
    needs: 'tasks',
    read: (text) => (text === undefined ? { type: 'tasks' } : { type: 'task', text }),
  },
  processes: {
    usage: '/processes, /bash',
    alias: 'bash',
    help: 'show the commands that run in the background: their output; stop one',
    needs: 'background',
    read: () => ({ type: 'processes' }),
  },
  permissions: {
    usage: '/permissions',
    help: 'show what is allowed, asked and denied, and where each rule comes from',
    needs: 'permissions',
    read: () => ({ type: 'permissions' }),
  },
  mcp: {
    usage: '/mcp [NAME]',
    help: 'show how the MCP servers stand; start one anew',
    needs: 'toolServers',
    read: (name) => ({ type: 'mcp', name }),
  },
  hooks: {
    usage: '/hooks',
    help: 'show the hooks by their events, and how they last ended',
    needs: 'hooks',
    read: () => ({ type: 'hooks' }),
  },
  skills: {
    usage: '/skills',
    help: 'show the skills, and who calls them',
    needs: 'skillReport',
    read: () => ({ type: 'skills' }),
  },
  agents: {
    usage: '/agents',
    help: 'show the agents that work can be given to',
    needs: 'agentReport',
    read: () => ({ type: 'agents' }),
  },
  init: {
    usage: '/init',
    help: 'let the model write an AGENTS.md for this project',
    read: (words) => ({ type: 'prompt', text: withArguments({ text: initPrompt.trim() }, words) }),
  },
  theme: {
    usage: '/theme [NAME]',
    help: 'choose the colours of the screen',
    needs: 'saveTheme',
    read: (name) => ({ type: 'theme', name }),
  },
  login: {
    usage: '/login [PROVIDER]',
    help: 'store the key of a provider',
    needs: 'keys',
    read: (provider) => ({ type: 'login', provider }),
  },
  doctor: {
    usage: '/doctor',
    help: 'check everything that pipe needs',
    needs: 'doctor',
    read: () => ({ type: 'doctor' }),
  },
  quit: {
    usage: '/quit, /exit',
    alias: 'exit',
    help: 'quit; Ctrl+D too',
    read: () => ({ type: 'quit' }),
  },
}

/**
 * Parses a slash command. Returns `undefined` if the text is a message, such as one that begins with a path. Throws `usage` for an
 * unknown command, and for a command followed by more lines.
 */
export function readSlashCommand(text: string, api: FrontendApi): SlashCommand | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_:-]*)(?=\s|$)([\s\S]*)$/u.exec(text) ?? []
  if (name === undefined) return readGlued(text, api)
  const known = available(api)
  const found = known.find(([one, { alias }]) => one === name || alias === name)
  const argument = rest.trim() === '' ? undefined : rest.trim()
  if (found !== undefined && rest.trimEnd().includes('\n')) {
    throw new PipeError('usage', `/${name} takes one line`)
  }
  if (found !== undefined) return found[1].read(argument, api)
  const own = api.prompts?.() ?? []
  // Whoever composes the message elsewhere knows the skills there.
  if (api.prompts === undefined && name.startsWith('skill:')) return undefined
  const prompt = calledPrompt(text, own)
  if (prompt !== undefined) return { type: 'prompt', text: prompt }
  if (api.isServerPrompt?.(name) === true) return { type: 'prompt', text }
  const near = nearest(name, [...known.map(([one]) => one), ...own.map((one) => one.name)])
  throw unknownCommand(`/${name}`, near)
}

function unknownCommand(line: string, near: string | undefined): PipeError {
  const hint = near === undefined ? '/help lists them' : `did you mean /${near}?`
  return new PipeError('usage', `unknown command ${line}: ${hint}`)
}

/** Rejects a lone path-like word: it means nothing to a model. If it ends in a command name, the error suggests that command. */
function readGlued(text: string, api: FrontendApi): undefined {
  const [line] = /^(?:\/[\p{L}\p{N}_:-]+){2,}(?=\s*$)/u.exec(text) ?? []
  if (line === undefined) return undefined
  const last = line.slice(line.lastIndexOf('/') + 1)
  const near = available(api).find(([name, { alias }]) => name === last || alias === last)
  throw unknownCommand(line, near?.[0])
}

/** Lists the available commands, each with its usage and its description, and the user's own below them. */
export function listSlashCommands(api: FrontendApi): readonly (readonly [string, string])[] {
  const taken = new Set(available(api).flatMap(([name, { alias = name }]) => [name, alias]))
  const own = (api.prompts?.() ?? []).flatMap(({ name, alias, hint = '', description, source }) => {
    const free = [name, alias].find((one) => one !== undefined && !taken.has(one))
    return free === undefined ? [] : [[`/${free} ${hint}`.trim(), `${description} (${source})`] as const]
  })
  return [...available(api).map(([, { usage, help }]) => [usage, help] as const), ...own]
}

function available(api: FrontendApi): readonly (readonly [string, Definition])[] {
  return Object.entries(commands).filter(([, { needs }]) => needs === undefined || api[needs] !== undefined)
}
