import type { PipeError } from '../error.ts'
import { usageError } from './flags.ts'
import { nearest } from './nearest.ts'
import type { Subcommand } from './options.ts'

/** The words that may follow a subcommand and that somebody may mistype. */
const actions: Readonly<Partial<Record<Subcommand, readonly string[]>>> = {
  sessions: ['list', 'show'],
  audit: ['show', 'export', 'verify', 'feedback'],
  auth: ['status', 'list', 'set', 'login', 'remove', 'logout'],
  permissions: ['list', 'check'],
  trust: ['list', 'remove'],
  schema: ['events', 'session', 'config', 'audit'],
  help: ['exit-codes'],
}

/** What is to follow the reserved words one day. */
const planned: Readonly<Partial<Record<Subcommand, readonly string[]>>> = {
  sessions: ['export', 'delete', 'fork'],
  mcp: ['list', 'add', 'remove'],
  config: ['list', 'show', 'get', 'set'],
  completion: ['bash', 'zsh', 'fish'],
  task: ['list', 'show'],
}

/** A reserved word, with what follows it, that this version does nothing with. */
export function notBuilt(...words: readonly [Subcommand, ...string[]]): PipeError {
  return usageError(`pipe ${words.join(' ')} is not part of this version; ${asPrompt(words)}`)
}

/**
 * What is wrong where a subcommand is followed by what it is to do one day, and at most two words more, or by what is nearly one of
 * its actions, and no more. Else it is a prompt.
 */
export function mistyped(name: Subcommand, words: readonly string[]): PipeError | undefined {
  const [word = '', ...more] = words
  if (more.length <= 2 && planned[name]?.includes(word) === true) return notBuilt(name, ...words)
  const meant = more.length === 0 ? nearest(word, actions[name] ?? []) : undefined
  if (meant === undefined || meant === word) return undefined
  const question = `did you mean pipe ${name} ${meant}?`
  return usageError(
    `pipe ${name} does not take ${JSON.stringify(word)}; ${question} ${asPrompt([name, ...words])}`,
  )
}

function asPrompt(words: readonly string[]): string {
  return `to send the ${words.length === 1 ? 'word' : 'words'} as a prompt: pipe -- ${words.join(' ')}`
}
