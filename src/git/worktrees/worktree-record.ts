import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type Holder, readHolder } from '../../files/lock/lock-holder.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { writeAtomically } from '../../files/writing/atomic.ts'
import { isJsonObject, parseJson } from '../../json-value.ts'

/** The record of a worktree. It lies beside the folder, so that nothing in the folder has to be believed. */
export interface WorktreeRecord {
  readonly id: string
  /** The top of the user's project. */
  readonly project: string
  /** The user's working folder relative to it. */
  readonly below: string
  /** The top of the folder. */
  readonly root: string
  readonly base: string
  /** The git folder that keeps the refs: the user's, or our own outside of git. */
  readonly common: string
  /** Its folder of objects. */
  readonly objects: string
  /** `sha1` or `sha256`. */
  readonly format: string
  /** `core.sharedRepository` of that git folder, if it is set. */
  readonly sharing: string | undefined
  /** Whether git knows the folder as a worktree. */
  readonly isWorktree: boolean
  /** Whether the folder has all its files. */
  readonly isReady: boolean
  /** The process that works in it. */
  readonly owner: Holder
}

/** Reads the record in the place of a worktree. Returns `undefined` if there is none, or another program wrote it. */
export function readRecord(place: string): WorktreeRecord | undefined {
  const value = parseJson(readIfThere(recordPath(place))?.toString() ?? '')
  if (!isJsonObject(value)) return undefined
  const owner = readHolder(JSON.stringify(value['owner'] ?? null))
  const texts = ['id', 'project', 'below', 'root', 'base', 'common', 'objects', 'format'] as const
  const read = new Map<string, string>()
  for (const name of texts) {
    const text = value[name]
    if (typeof text !== 'string') return undefined
    read.set(name, text)
  }
  if (owner === undefined) return undefined
  const text = (name: (typeof texts)[number]) => read.get(name) ?? ''
  return {
    id: text('id'),
    project: text('project'),
    below: text('below'),
    root: text('root'),
    base: text('base'),
    common: text('common'),
    objects: text('objects'),
    format: text('format'),
    sharing: typeof value['sharing'] === 'string' ? value['sharing'] : undefined,
    isWorktree: value['is_worktree'] === true,
    isReady: value['is_ready'] === true,
    owner,
  }
}

export async function writeRecord(place: string, record: WorktreeRecord): Promise<void> {
  const { isWorktree, isReady, ...fields } = record
  const text = JSON.stringify({ ...fields, is_worktree: isWorktree, is_ready: isReady }, null, 2)
  await writeAtomically(recordPath(place), Buffer.from(`${text}\n`), { mode: 0o600 })
}

/** Notes that the worktree is in use. `now` is in milliseconds since 1970. */
export function touchRecord(place: string, now: number): void {
  const path = recordPath(place)
  if (existsSync(path)) utimesSync(path, now / 1_000, now / 1_000)
}

/** The path of the record in the place of a worktree. */
export function recordPath(place: string): string {
  return join(place, 'worktree.json')
}
