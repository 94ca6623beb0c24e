import { sep } from 'node:path'
import { findDirectories, ownFolders } from '../../config/directories.ts'
import { hasCode, PipeError } from '../../error.ts'
import type { Machine } from '../machine.ts'

/**
 * Turns the system's refusal of a file into `input`, because `permission` is for what rules and people refuse. Says what to do about pipe's
 * own folders. Returns any other error unchanged.
 */
export function explainClosedPath(error: unknown, { env, home }: Pick<Machine, 'env' | 'home'>): unknown {
  if (!hasCode(error, 'permission') || !/^E[A-Z0-9]+$/.test(error.details['reason'] ?? '')) return error
  const { message, details } = error
  const path = details['path'] ?? ''
  const isOwn = ownFolders(findDirectories(env, home)).some((own) =>
    `${path}${sep}`.startsWith(`${own}${sep}`),
  )
  const advice = isOwn ? '; make the folder yours, or set another one with PIPE_HOME' : ''
  return new PipeError('input', `${message}${advice}`, { cause: error, details })
}
