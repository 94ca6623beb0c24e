import type { Abilities } from '../conversation-view.ts'
import { PipeError } from '../error.ts'
import type { PermissionMode } from '../permission.ts'
import { nearest } from './nearest.ts'

/** A parsed slash command. */
export type SlashCommand =
  | { readonly type: 'help' }
  | { readonly type: 'model'; readonly name: string | undefined }
  | { readonly type: 'mode'; readonly mode: PermissionMode | undefined }
  | { readonly type: 'compact'; readonly keep: string | undefined }
  | { readonly type: 'context' }
  | { readonly type: 'undo'; readonly redo: boolean; readonly force: boolean }
  | { readonly type: 'clear' }
  | { readonly type: 'resume'; readonly id: string | undefined }
  | { readonly type: 'rename'; readonly title: string }
  | { readonly type: 'rewind'; readonly argument: string | undefined }
  | { readonly type: 'tree'; readonly argument: string | undefined }
  | { readonly type: 'export'; readonly file: string | undefined }
  | { readonly type: 'recall'; readonly words: string }
  | { readonly type: 'tasks' }
  | { readonly type: 'elves' }
  | { readonly type: 'task'; readonly text: string }
  | { readonly type: 'quit' }

const modes: readonly PermissionMode[] = ['default', 'accept-edits', 'plan', 'auto', 'bypass']

interface Definition {
  readonly usage: string
  /** Alternative name. */
  readonly alias?: string
  readonly help: string
  /** Ability that the command requires. */
  readonly needs?: keyof Abilities
  readonly read: (argument: string | undefined, abilities: Abilities) => SlashCommand
}

const commands: Readonly<Record<string, Definition>> = {
  help: { usage: '/help', help: 'show this list', read: () => ({ type: 'help' }) },
  model: {
    usage: '/model [NAME]',
    help: 'show the model, or switch to another from the next round on',
    needs: 'chooseModel',
    read: (name) => ({ type: 'model', name }),
  },
  mode: {
    usage: '/mode [MODE]',
    help: `show the permission mode, or set another: ${modes.join(', ')}`,
    needs: 'setMode',
    read: (text, abilities) => ({
      type: 'mode',
      mode: text === undefined ? undefined : readMode(text, abilities),
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
    read: () => ({ type: 'context' }),
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
export function readSlashCommand(text: string, abilities: Abilities): SlashCommand | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_:-]*)(?=\s|$)([\s\S]*)$/u.exec(text) ?? []
  if (name === undefined) return readGlued(text, abilities)
  const known = available(abilities)
  const found = known.find(([one, { alias }]) => one === name || alias === name)
  const argument = rest.trim() === '' ? undefined : rest.trim()
  if (found !== undefined && rest.trimEnd().includes('\n')) {
    throw new PipeError('usage', `/${name} takes one line`)
  }
  if (found !== undefined) return found[1].read(argument, abilities)
  const near = nearest(
    name,
    known.map(([one]) => one),
  )
  throw unknownCommand(`/${name}`, near)
}

function unknownCommand(line: string, near: string | undefined): PipeError {
  const hint = near === undefined ? '/help lists them' : `did you mean /${near}?`
  return new PipeError('usage', `unknown command ${line}: ${hint}`)
}

/** Rejects a lone path-like word: it means nothing to a model. If it ends in a command name, the error suggests that command. */
function readGlued(text: string, abilities: Abilities): undefined {
  const [line] = /^(?:\/[\p{L}\p{N}_:-]+){2,}(?=\s*$)/u.exec(text) ?? []
  if (line === undefined) return undefined
  const last = line.slice(line.lastIndexOf('/') + 1)
  const near = available(abilities).find(([name, { alias }]) => name === last || alias === last)
  throw unknownCommand(line, near?.[0])
}

/** Lists the available commands, each with its usage and its description. */
export function listSlashCommands(abilities: Abilities): readonly (readonly [string, string])[] {
  return available(abilities).map(([, { usage, help }]) => [usage, help] as const)
}

function available(abilities: Abilities): readonly (readonly [string, Definition])[] {
  return Object.entries(commands).filter(
    ([, { needs }]) => needs === undefined || abilities[needs] !== undefined,
  )
}

function readTitle(text: string | undefined): string {
  if (text === undefined) throw new PipeError('usage', '/rename needs a title, as in /rename flaky test')
  return text
}

function readForce(argument: string | undefined): boolean {
  if (argument === undefined) return false
  if (argument === 'force' || argument === '--force') return true
  throw new PipeError('usage', `the only argument is force, not ${argument}`)
}

function readWords(words: string | undefined): string {
  if (words === undefined) throw new PipeError('usage', '/recall needs words, as in /recall flaky test')
  return words
}

function readMode(text: string, abilities: Abilities): PermissionMode {
  const mode = abilities.readMode(text)
  if (mode === undefined) throw new PipeError('usage', `no mode ${text}: choose ${modes.join(', ')}`)
  return mode
}
