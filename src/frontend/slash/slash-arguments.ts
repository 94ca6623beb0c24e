import { PipeError } from '../../error.ts'
import type { MemoryScope } from '../../memory/memories.ts'
import type { PermissionMode } from '../../permission.ts'
import type { FrontendApi } from '../conversation-view.ts'

/** The text to copy: the last code block, or an answer, counted from the last one, 1. */
export type Copied = 'code' | number

/** The permission modes, as a hint lists them. */
export const modes: readonly string[] = ['ask', 'accept-edits', 'plan', 'auto', 'bypass']

/** Reads a title. Throws `usage` without one. */
export function readTitle(text: string | undefined): string {
  if (text === undefined) throw new PipeError('usage', '/rename needs a title, as in /rename flaky test')
  return text
}

/** Reads whether files that were changed since are restored too. Throws `usage`. */
export function readForce(argument: string | undefined): boolean {
  if (argument === undefined) return false
  if (argument === 'force' || argument === '--force') return true
  throw new PipeError('usage', `the only argument is force, not ${argument}`)
}

/** Reads whether all turns are meant, not only the last. Throws `usage`. */
export function readAll(argument: string | undefined): boolean {
  if (argument === undefined || argument === 'last') return false
  if (argument === 'all') return true
  throw new PipeError('usage', `the only argument is all, not ${argument}`)
}

/** Reads what is copied: an answer by its number from the end, or its code. Throws `usage`. */
export function readCopied(argument = '1'): Copied {
  if (argument === 'code') return 'code'
  if (/^[1-9]\d{0,3}$/.test(argument)) return Number(argument)
  throw new PipeError('usage', '/copy takes a number or the word code, as in /copy 2')
}

/** Reads words to search for. Throws `usage` without any. */
export function readWords(words: string | undefined): string {
  if (words === undefined) throw new PipeError('usage', '/recall needs words, as in /recall flaky test')
  return words
}

/** Reads a text to keep. A text may begin like a flag: only `--user` is one. */
export function readMemory(argument = ''): { readonly text: string; readonly scope: MemoryScope } {
  const [, flag, text = ''] = /^(--user(?=\s|$))?\s*(.*)$/s.exec(argument) ?? []
  if (text === '')
    throw new PipeError('usage', '/remember needs a text, as in /remember tests need a database')
  return { text, scope: flag === undefined ? 'project' : 'user' }
}

/** Reads the key of a setting and its new value; a key may hold a quoted name. */
export function readSetting(argument = ''): {
  readonly key: string | undefined
  readonly value: string | undefined
} {
  const [, key, value] = /^((?:"(?:[^"\\]|\\.)*"|[^\s"])+)(?:\s+(?:=\s+)?(.+))?$/s.exec(argument) ?? []
  return { key: key ?? (argument === '' ? undefined : argument), value }
}

/** Reads a permission mode. Throws `usage`. */
export function readMode(text: string, api: FrontendApi): PermissionMode {
  const mode = api.readMode(text)
  if (mode === undefined) throw new PipeError('usage', `no mode ${text}: choose ${modes.join(', ')}`)
  return mode
}
