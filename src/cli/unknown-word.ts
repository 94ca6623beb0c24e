import type { PipeError } from '../error.ts'
import { usageError } from './flags.ts'
import { nearest } from './nearest.ts'
import type { Subcommand } from './options.ts'

/** What may follow each subcommand of this version. */
const actions: Readonly<Partial<Record<Subcommand, readonly string[]>>> = {
  sessions: ['list', 'show'],
  audit: ['show', 'export', 'verify', 'feedback'],
  auth: ['status', 'list', 'set', 'login', 'remove', 'logout'],
  permissions: ['list', 'check'],
  trust: ['list', 'remove'],
  schema: ['events', 'session', 'config', 'audit'],
  help: ['exit-codes'],
  undo: [],
  doctor: [],
  demo: [],
}

/** A reserved word that this version does nothing with. */
export function notBuilt(name: Subcommand, words: readonly string[] = []): PipeError {
  return usageError(`pipe ${name} is not part of this version; ${asPrompt([name, ...words])}`)
}

/**
 * What is wrong where a single word that does not fit follows a subcommand, or one of its actions: mistyped rather than the
 * beginning of a sentence. `undefined` for several words, or a text with spaces, which are a prompt.
 */
export function unknownWord(name: Subcommand, words: readonly string[]): PipeError | undefined {
  const known = actions[name]
  const action = known?.find((one) => one === words[0])
  const [odd, ...more] = action === undefined ? words : words.slice(1)
  if (odd === undefined || more.length > 0 || odd === '' || /\s/.test(odd)) return undefined
  if (known === undefined) return notBuilt(name, words)
  const command = ['pipe', name, ...(action === undefined ? [] : [action])].join(' ')
  const close = action === undefined ? nearest(odd, known) : undefined
  const meant = close === undefined ? '' : `did you mean ${command} ${close}? `
  return usageError(`${command} does not take ${JSON.stringify(odd)}; ${meant}${asPrompt([name, ...words])}`)
}

function asPrompt(words: readonly string[]): string {
  return `to send the ${words.length === 1 ? 'word' : 'words'} as a prompt: pipe -- ${words.join(' ')}`
}
