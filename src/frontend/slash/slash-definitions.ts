import { requireLevel, thinkingLevels } from '../../model.ts'
import type { FrontendApi } from '../conversation-view.ts'
import { withArguments } from '../own-prompt.ts'
import { compactOf } from './compact-call.ts'
import { initPrompt } from './init-prompt.ts'
import type { SlashCommand } from './parsed-slash-command.ts'
import {
  modes,
  readAll,
  readCopied,
  readForce,
  readMemory,
  readMode,
  readSetting,
  readTitle,
  readWords,
} from './slash-arguments.ts'

/** A command: its words for the list, and the reader of its argument. */
export interface SlashDefinition {
  readonly usage: string
  /** Alternative name. */
  readonly alias?: string
  readonly help: string
  /** Ability that the command requires. */
  readonly needs?: keyof FrontendApi
  readonly read: (argument: string | undefined, api: FrontendApi) => SlashCommand
}

/** All commands, in the order in which they are listed. */
export const slashCommands: Readonly<Record<string, SlashDefinition>> = {
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
      level: text === undefined ? undefined : requireLevel(text, thinking?.levels()),
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
    read: compactOf,
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
    needs: 'saveTheme',
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
    usage: '/clear, /new',
    alias: 'new',
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
    help: 'continue in a copy of this conversation; this one stays as it is',
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
    help: 'save a note for later conversations in this project; --user TEXT: in all projects',
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
    help: 'show the state of the MCP servers; restart one',
    needs: 'toolServers',
    read: (name) => ({ type: 'mcp', name }),
  },
  hooks: {
    usage: '/hooks',
    help: 'show the hooks by event, and how they last ended',
    needs: 'hooks',
    read: () => ({ type: 'hooks' }),
  },
  skills: {
    usage: '/skills',
    help: 'show the skills, and who may call them',
    needs: 'skillReport',
    read: () => ({ type: 'skills' }),
  },
  agents: {
    usage: '/agents',
    help: 'show the agents that can do work',
    needs: 'agentReport',
    read: () => ({ type: 'agents' }),
  },
  status: {
    usage: '/status',
    help: 'show the session, model, mode, folder, servers, context and cost of this conversation',
    needs: 'statusReport',
    read: () => ({ type: 'status' }),
  },
  config: {
    usage: '/config [KEY]',
    help: 'show the settings and where each is set; /config KEY VALUE sets one',
    needs: 'settings',
    read: (argument) => ({ type: 'config', ...readSetting(argument) }),
  },
  init: {
    usage: '/init',
    help: initPrompt.description,
    read: (words) => ({ type: 'prompt', text: withArguments(initPrompt, words) }),
  },
  theme: {
    usage: '/theme [NAME]',
    help: 'choose the colours of the screen',
    needs: 'saveTheme',
    read: (name) => ({ type: 'theme', name }),
  },
  vim: {
    usage: '/vim',
    help: 'switch to the keys of vim in the prompt, or back',
    needs: 'saveTheme',
    read: () => ({ type: 'vim' }),
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
