import { PipeError } from '../../error.ts'
import { looksLikeId } from '../flags.ts'

/** What is to be done with audit logs. Without a session: that of the last conversation in this folder. */
export type AuditCommand =
  | { readonly action: 'show' | 'export' | 'verify'; readonly session: string | undefined }
  /** `message` is an id, or the beginning of one. */
  | { readonly action: 'feedback'; readonly message: string; readonly text: string }

const readers = ['show', 'export', 'verify'] as const

/** Reads the words after `audit`; `undefined` where they are a prompt after all. Throws `usage`. */
export function readAuditCommand(words: readonly string[]): AuditCommand | undefined {
  const [word = 'show', first, ...more] = words
  const action = readers.find((name) => name === word)
  if (action !== undefined) return more.length === 0 ? { action, session: first } : undefined
  if (word !== 'feedback') return undefined
  if (first === undefined || (more.length === 0 && looksLikeId(first))) {
    throw new PipeError('usage', 'as in: pipe audit feedback MESSAGE_ID "please reconsider"')
  }
  return looksLikeId(first) ? { action: 'feedback', message: first, text: more.join(' ') } : undefined
}
