import { relative } from 'node:path'
import type { ArtifactStore } from '../artifact.ts'
import type { Clock } from '../clock.ts'
import type { CommandRunner, ProcessTable } from '../command.ts'
import type { NewId } from '../id.ts'
import { isWithin } from '../path.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Transport } from '../transport.ts'
import type { ReadLedger } from './file/read-ledger.ts'

/** What the built-in tools are given. */
export interface BuiltinOptions {
  readonly artifacts: ArtifactStore
  readonly commands: CommandRunner
  /** Where commands of a call run that is to be confined. */
  readonly sandbox?: Sandbox
  /** Outlives the executor; closed by the caller. */
  readonly processes: ProcessTable
  readonly clock: Clock
  /** Absolute. Relative paths start here, commands run here. */
  readonly cwd: string
  /** What `~` stands for. */
  readonly home: string
  /** The environment of commands, always the same: see `childEnvironment`. Asked for with the first of them. */
  readonly env: () => Readonly<Record<string, string>>
  /** The folder for output that is too long; made (0700) when first needed, left for the caller to remove. */
  readonly spillDir: string
  /** What becomes of a command whose time is up. Default: it goes on in the background, where there is room. */
  readonly onTimeout?: 'background' | 'kill'
  /** For pages from the web. */
  readonly transport: Transport
  /** What web servers are told of who asks: `pipe/1.2.3`. */
  readonly userAgent: string
  /** Whether a host (`name`, or `name:port` where it has one of its own) may be fetched from though it is not public. Default: none. */
  readonly allowPrivateAddresses?: (host: string) => boolean
  /** Whether a person can be asked. Where nobody can, there is no tool to ask with. */
  readonly interactive: boolean
  readonly newId: Pick<NewId, 'interaction'>
  /** Whether searches may show a file, by its absolute path. Default: all of them. */
  readonly mayRead?: (path: string) => boolean
  /** The ripgrep programs to try, in order, before JavaScript. Default: the packaged one, then `rg` on the PATH. */
  readonly ripgreps?: readonly string[]
}

/** Where the tools work, and with what. One for each executor. */
export interface Workspace extends BuiltinOptions {
  readonly ledger: ReadLedger
}

/** A path as results show it: relative to cwd where it is inside. */
export function displayPath({ cwd }: Workspace, path: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path
}

/** The same where it stands in a row of a list. */
export function rowPath(workspace: Workspace, path: string): string {
  return quoted(displayPath(workspace, path))
}

/** A name that holds control characters as JSON has it, so that it stays one row. */
export function quoted(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
}
