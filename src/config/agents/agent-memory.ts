import { dirname, join, relative } from 'node:path'
import type { AgentDefinition } from '../../actor.ts'
import { look, lookThrough } from '../../files/look.ts'
import { followed } from '../../files/real-path.ts'
import { isWithin } from '../../machine/path.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { readTextStart } from '../text-start.ts'
import type { AgentPlaces } from './definition-folders.ts'
import { peerMemoryFolders } from './peer-agents.ts'

/** The folder in which an agent keeps what it learns. */
export interface AgentMemory {
  /** A real path. It may not exist yet. */
  readonly folder: string
  /** The same folder by the path that the user knows. */
  readonly written: string
  /** Whether it is content that a project brings. */
  readonly isOfProject: boolean
}

/** The file whose head the agent begins with. */
export const memoryFile = 'MEMORY.md'

/** Most of that file that the agent begins with. */
const head = { bytes: 25 * 1024, lines: 200 }

const own = {
  user: 'agent-memory',
  project: '.pipe/agent-memory',
  local: '.pipe/agent-memory-local',
} as const

/**
 * Finds the folder of an agent's memory: pipe's own, or that of another agent if only that exists. A project's agent has none among the
 * user's files, where it would meet the notes of all other projects. Refuses a folder that a link leads out of its place. `undefined` if the
 * agent keeps nothing.
 */
export function findAgentMemory(
  { name, source, memory }: Pick<AgentDefinition, 'name' | 'source' | 'memory'>,
  { config, home, root }: AgentPlaces & { readonly root: string },
): Result<AgentMemory> | undefined {
  if (memory === undefined) return undefined
  const isForeign = source === 'project' || source === 'peer'
  const scope = memory === 'user' && isForeign ? 'local' : memory
  const isOfProject = scope !== 'user'
  const peer = peerMemoryFolders[scope]
  const places = isOfProject
    ? { usual: join(root, own[scope]), peer: join(root, peer), bases: [root] }
    : { usual: join(config, own.user), peer: join(home, peer), bases: [config, join(home, dirname(peer))] }
  const folder = name.replaceAll(':', '-')
  const written = [places.usual, places.peer].map((one) => join(one, folder))
  const [usual = '', other = ''] = written
  const chosen = isThere(usual) || !isThere(other) ? usual : other
  // Users link their own folders to where they keep them. A link below that would lead anywhere.
  const real = places.bases.flatMap((base) =>
    isWithin(chosen, base) ? [join(followed(base), relative(base, chosen))] : [],
  )
  const at = followed(chosen)
  if (!real.includes(at)) return refused(`${chosen} is skipped: a link leads it out of its folder`)
  return ok({ folder: at, written: chosen, isOfProject })
}

function isThere(path: string): boolean {
  return look(path) !== undefined
}

/** Reads the head of an agent's memory; empty if there is none. Refuses one that is no plain text file of its folder. */
export function readMemoryHead({ folder }: Pick<AgentMemory, 'folder'>): Result<string> {
  const path = join(folder, memoryFile)
  const stats = lookThrough(path)
  if (stats === undefined) return ok('')
  if (!isWithin(followed(path), folder)) return refused(`${path} is skipped: it leads out of its folder`)
  // Opening a pipe would wait for its writer.
  const start = stats.isFile() ? readTextStart(path, head.bytes) : undefined
  if (start === undefined) return refused(`${path} is skipped: it is not a text file`)
  const lines = start.text.split('\n')
  const isCut = !start.isWhole || lines.length > head.lines + 1
  const text = lines.slice(0, head.lines).join('\n').trimEnd()
  return ok(isCut ? `${text}\n[cut: the file goes on]` : text)
}
