import { basename, join } from 'node:path'
import type { Directories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError, throwIfAborted } from '../../../error.ts'
import { sha256 } from '../../../files/lazy-crypto.ts'
import { look, lookThrough } from '../../../files/look.ts'
import type { SessionId } from '../../../id.ts'
import type { KeptMemories } from '../../../memories/kept-memories.ts'
import type { MemoryPlace } from '../../../memories/memory-file.ts'
import type { Memory } from '../../../memory/memories.ts'
import type { Redact } from '../../../redaction/redaction.ts'
import type { Machine } from '../../machine.ts'
import type { RankByMeaning } from './memory-meaning.ts'

/** The files of memories, and the redaction of what is kept. */
export interface MemoryOptions {
  readonly machine: Pick<Machine, 'clock' | 'pid' | 'hostname' | 'newId'>
  readonly directories: Pick<Directories, 'config' | 'memories'>
  /** The real path of the project's root. */
  readonly root: string
  /** The folder that its worktrees share, which the file of its memories is named by. Elsewhere it is `root`. */
  readonly shared: string
  readonly redact: Redact
  /** The session that keeps them. Default: none. */
  readonly session?: SessionId | undefined
}

/** Opens the memories of a project and of the user. Their files need not exist. */
export async function openMemories(options: MemoryOptions): Promise<KeptMemories> {
  const { machine, directories, shared, redact, session } = options

  const { KeptMemories } = await import('../../../memories/kept-memories.ts')
  const { clock, pid, hostname, newId } = machine
  return new KeptMemories({
    places: [
      {
        scope: 'project',
        path: projectFile(directories, shared),
        heading: `Memories of ${basename(shared)}`,
      },
      ...earlierPlaces(options),
      { scope: 'user', path: userFile(directories), heading: 'Memories' },
    ],
    redact,
    clock,
    newId: () => newId.message().slice(0, 8),
    holder: { pid, host: hostname, clock },
    session,
  })
}

/** The file of a worktree from the time when each had memories of its own, if there is one. New ones go to the shared file. */
function earlierPlaces({ directories, root, shared }: MemoryOptions): readonly MemoryPlace[] {
  const path = projectFile(directories, root)
  if (root === shared || look(path) === undefined) return []
  return [{ scope: 'project', path, heading: `Memories of ${basename(root)}` }]
}

/** The memories of one run. */
export interface RunMemories {
  /** The files that cannot be read, one line each. */
  readonly faults: readonly string[]
  /**
   * Ranks memories by meaning for the message that is composed next. Resolves with a note for the user if that failed, and words alone
   * decide. `undefined` if there is nothing to wait for.
   */
  prepare(prompt: string, signal: AbortSignal): Promise<string | undefined> | undefined
  /** Frames those that fit a run's first prompt; `undefined` if there are none. */
  present(prompt: string): string | undefined
  open(): Promise<KeptMemories>
}

/** Most tokens of a message that memories take up. */
const usualBudget = 1_000

/** Opens the memories for a run. Without any, it looks at two paths and loads nothing. `undefined` if the settings turn them off. */
export async function openRunMemories(
  options: MemoryOptions,
  { enabled = true, budget = usualBudget }: NonNullable<Settings['memory']>,
  rank: RankByMeaning | undefined,
): Promise<RunMemories | undefined> {
  if (!enabled) return undefined
  let opening: Promise<Opened> | undefined
  let opened: Opened | undefined
  let byMeaning: readonly Memory[] | undefined
  const open = async () => {
    opening ??= openWithSelection(options)
    opened = await opening
    return opened.kept
  }
  const faults = mayExist(options.directories) ? (await open()).list().faults : []
  const rankFor = async (prompt: string, memories: readonly Memory[], signal: AbortSignal) => {
    try {
      byMeaning = await rank?.(memories, prompt, signal)
      return undefined
    } catch (error) {
      throwIfAborted(signal)
      if (!isPipeError(error)) throw error
      return `memories are chosen only by their words: ${error.message}`
    }
  }
  return {
    faults,
    prepare: (prompt, signal) => {
      if (rank === undefined || opened === undefined || byMeaning !== undefined || prompt.trim() === '')
        return undefined
      byMeaning = []
      const { memories } = opened.kept.list()
      return opened.haveRoom(memories, { budget }) ? undefined : rankFor(prompt, memories, signal)
    },
    present: (prompt) => {
      const selection = { prompt, budget, byMeaning }
      return opened?.presentMemories(opened.kept.list().memories, selection)
    },
    open,
  }
}

interface Opened
  extends Pick<typeof import('../../../memories/selection.ts'), 'haveRoom' | 'presentMemories'> {
  readonly kept: KeptMemories
}

async function openWithSelection(options: MemoryOptions): Promise<Opened> {
  const { haveRoom, presentMemories } = await import('../../../memories/selection.ts')
  return { haveRoom, presentMemories, kept: await openMemories(options) }
}

function mayExist(directories: MemoryOptions['directories']): boolean {
  return lookThrough(directories.memories) !== undefined || look(userFile(directories)) !== undefined
}

/** Returns the file with the memories for all projects. It may not exist. */
export function userFile({ config }: Pick<Directories, 'config'>): string {
  return join(config, 'MEMORY.md')
}

/** The project's own name is for people, the hash for pipe. Nothing in the project's folder is read. */
function projectFile({ memories }: Pick<Directories, 'memories'>, root: string): string {
  const name = basename(root)
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 40)
  return join(memories, `${name}-${sha256(root).slice(0, 16)}`, 'MEMORY.md')
}
