import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ArtifactStore } from '../artifact.ts'
import type { Clock } from '../clock.ts'
import type { CommandRunner } from '../command.ts'
import type { ReadLedger } from './read-ledger.ts'

/** What the built-in tools are given. */
export interface BuiltinOptions {
  readonly artifacts: ArtifactStore
  readonly commands: CommandRunner
  readonly clock: Clock
  /** Absolute. Relative paths start here, commands run here. */
  readonly cwd: string
  /** What `~` stands for. */
  readonly home: string
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string>>
  /** The folder for output that is too long; made (0700) when first needed, left for the caller to remove. */
  readonly spillDir: string
}

/** Where the tools work, and with what. One for each executor. */
export interface Workspace extends BuiltinOptions {
  readonly ledger: ReadLedger
}

/** The absolute path the model means: relative to cwd, absolute, or below `~`. */
export function resolvePath(workspace: Workspace, path: string): string {
  if (path === '~' || path.startsWith('~/')) return join(workspace.home, path.slice(1))
  return resolve(workspace.cwd, path)
}

/** A path as results show it: relative to cwd where it is inside. */
export function displayPath(workspace: Workspace, path: string): string {
  const inside = relative(workspace.cwd, path)
  if (inside === '') return '.'
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside
}
