import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { look } from '../../files/look.ts'
import { isMarked } from '../../files/mount-placeholder.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from '../tree/index-update.ts'
import { writeCommit, writeFlatTree, writeRef, writeTextBlob } from './loose-objects.ts'

/** The content and the permissions of a file. `id` names a blob of the shadow. */
export interface FileState {
  readonly id: string
  readonly mode: number
}

/** `undefined`: no file. `other`: a folder, a link, or a file that is unreadable or larger than 100 MiB. */
export type SeenFile = FileState | undefined | 'other'

/** A file that a call of a turn wrote and that the saved tree does not hold, because it is ignored or outside of the project. */
export interface WrittenFile {
  /** Absolute, links followed. */
  readonly path: string
  /** The folder that was there above it: an undo removes none of the folders from here up. */
  readonly base: string
  readonly before: FileState | undefined
  /** After the turn. `unknown` if it was cut short. */
  readonly after: FileState | undefined | 'unknown'
}

/** The largest file to keep, in bytes: five times what `write` and `edit` take. */
const largest = 100 * 1024 * 1024

/** Keeps the current content of these files in the shadow. Paths are absolute. */
export async function keepStates(
  shadow: Shadow,
  paths: readonly string[],
): Promise<ReadonlyMap<string, SeenFile>> {
  const states = new Map<string, SeenFile>()
  const modes = new Map<string, number>()
  for (const path of paths) {
    const found = look(path)
    if (found === undefined || isMarked(found)) states.set(path, undefined)
    else if (!found.isFile() || found.size > largest) states.set(path, 'other')
    else modes.set(path, found.mode & 0o777)
  }
  for (const batch of pathBatches([...modes.keys()])) {
    const ids = await hash(shadow, batch)
    for (const [i, path] of batch.entries()) {
      const id = ids[i]
      states.set(path, id === undefined ? 'other' : { id, mode: modes.get(path) ?? 0o600 })
    }
  }
  return states
}

/** The blobs of these files; `undefined` for one that cannot be read. */
async function hash(shadow: Shadow, paths: readonly string[]): Promise<readonly (string | undefined)[]> {
  try {
    const ids = await shadow.git(['hash-object', '-w', '--no-filters', '--', ...paths])
    return ids.trim().split('\n')
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'exit') throw error
    if (paths.length === 1) return [undefined]
    const each: (string | undefined)[] = []
    for (const path of paths) each.push(...(await hash(shadow, [path])))
    return each
  }
}

/** The innermost folder above a path that is there. */
export function standingFolder(path: string): string {
  let folder = dirname(path)
  while (look(folder) === undefined && folder !== '/') folder = dirname(folder)
  return folder
}

/** Lists the files in a commit of their own, whose tree keeps their blobs. */
export async function writeList(shadow: Shadow, ref: string, files: readonly WrittenFile[]): Promise<void> {
  const list = writeTextBlob(shadow, JSON.stringify(files.map(encode)))
  const states = files.flatMap(({ before, after }) => [before, after === 'unknown' ? undefined : after])
  const ids = new Set(states.flatMap((state) => (state === undefined ? [] : [state.id])))
  const blobs = [...ids].map((id) => ({ name: id, id }))
  const tree = writeFlatTree(shadow, [{ name: listName, id: list }, ...blobs])
  const author = { email: 'pipe', at: shadow.clock.now() }
  const commit = writeCommit(shadow, { tree, author, committer: author, message: 'written files' })
  await writeRef(shadow, ref, commit)
}

const listName = 'list'

/** Reads the files of a commit by `writeList`. */
export async function readWrittenList(shadow: Shadow, commit: string): Promise<readonly WrittenFile[]> {
  const list = parseJson(await shadow.git(['cat-file', 'blob', `${commit}:${listName}`]))
  return Array.isArray(list) ? list.flatMap(decode) : []
}

/** Writes a tree with these names and blobs. The index in `blobsIndex` holds it too. */
export async function treeOfBlobs(shadow: Shadow, blobs: ReadonlyMap<string, string>): Promise<string> {
  const index = blobsIndex(shadow)
  rmSync(index, { force: true })
  const entries = [...blobs].map(([name, id]) => `100644,${id},${name}`)
  for (const batch of pathBatches(entries)) {
    const args = batch.flatMap((entry) => ['--cacheinfo', entry])
    await shadow.git(['update-index', '--add', ...args], { index })
  }
  return (await shadow.git(['write-tree'], { index })).trim()
}

export function blobsIndex({ path }: Shadow): string {
  return join(path, 'files-index')
}

function encode({ path, base, before, after }: WrittenFile): object {
  return { path, base, before: before ?? null, ...(after === 'unknown' ? {} : { after: after ?? null }) }
}

function decode(value: JsonValue): readonly WrittenFile[] {
  if (!isJsonObject(value)) return []
  const { path, base, before, after } = value
  if (typeof path !== 'string' || typeof base !== 'string') return []
  return [
    { path, base, before: decodeState(before), after: after === undefined ? 'unknown' : decodeState(after) },
  ]
}

function decodeState(value: JsonValue | undefined): FileState | undefined {
  const { id, mode } = isJsonObject(value) ? value : {}
  return typeof id === 'string' && typeof mode === 'number' ? { id, mode } : undefined
}
