import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import type { ArtifactStore } from '../machine/artifact.ts'
import { pathFrom } from '../machine/path.ts'
import type { CommandRunner, ProcessTable } from '../machine/running-command.ts'
import type { Sandbox } from '../machine/sandbox.ts'
import type { Transport } from '../machine/transport.ts'
import type { Memories } from '../memory/memories.ts'
import type { RecallOptions, RecallQuery, RecallResult } from '../memory/recall.ts'
import type { Message } from '../message.ts'
import type { Subtasks } from '../task.ts'
import type { FormatText } from './edit/formatter.ts'
import type { ReadLedger } from './file/read-ledger.ts'

type RecallLimits = Pick<RecallQuery, 'limit'> & Pick<RecallOptions, 'signal'>

/** The dependencies of the built-in tools. */
export interface BuiltinOptions {
  readonly artifacts: ArtifactStore
  /** Whether `artifacts` are no files of this machine, so that searches go through the store alone. Default: false. */
  readonly isElsewhere?: boolean
  readonly commands: CommandRunner
  /** Runs the commands of calls that must be confined. */
  readonly sandbox?: Sandbox | undefined
  /** Outlives the executor; closed by the caller. */
  readonly processes: ProcessTable
  readonly clock: Clock
  /** Absolute. Relative paths start here, commands run here. */
  readonly cwd: string
  /** The expansion of `~`. */
  readonly home: string
  /** The environment of commands as it is now: see `childEnvironment`. Called for each command. */
  readonly env: () => Readonly<Record<string, string>>
  /** The folder for long output. Created (0700) on first use; the caller removes it. */
  readonly spillDir: string
  /** How a command ends its timeout. Default: it continues in the background, unless that is full. */
  readonly onTimeout?: 'background' | 'kill'
  /** For pages from the web. */
  readonly transport: Transport
  /** The user agent sent to web servers: `pipe/1.2.3`. */
  readonly userAgent: string
  /** Whether to fetch from a private host (`name`, or `name:port` if the URL has a port). Default: none. */
  readonly allowPrivateAddresses?: (host: string) => boolean
  /** Whether a user can be asked. Otherwise there is no `ask` tool. */
  readonly interactive: boolean
  readonly newId: Pick<NewId, 'interaction'>
  /** Searches earlier conversations. Default: there is no `recall` tool. */
  readonly recall?: ((words: string, options: RecallLimits) => Promise<RecallResult>) | undefined
  /** The board of tasks. Default: there is no `task` tool. */
  readonly tasks?: Subtasks | undefined
  /** Opens what is kept across sessions. Default: there is no `remember` tool. Nor is there one if no user can be asked. */
  readonly memories?: (() => Promise<Memories>) | undefined
  /** Messages of earlier runs, which name the files that the model has seen. Default: none. */
  readonly earlier?: readonly Message[] | undefined
  /** Whether searches may show a file, by its absolute path. Default: all of them. */
  readonly mayRead?: (path: string) => boolean
  /** Formats what edits wrote. Default: nothing does. */
  readonly format?: FormatText | undefined
  /** The ripgrep programs to try, in order, before JavaScript. Default: the packaged one, then `rg` on the PATH. */
  readonly ripgreps?: readonly string[]
}

/** The shared state of the tools of one executor. */
export interface Workspace extends BuiltinOptions {
  readonly ledger: ReadLedger
}

/** A path as results show it: relative to cwd if inside. */
export function displayPath({ cwd }: Workspace, path: string): string {
  return pathFrom(cwd, path) || '.'
}

/** A path for one row of a list. */
export function rowPath(workspace: Workspace, path: string): string {
  return quotedName(displayPath(workspace, path))
}

/** Quotes a name with control characters as JSON, so that it stays in one row. */
export function quotedName(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
}
