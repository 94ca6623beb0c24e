import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { PipeError } from '../error.ts'
import { crypto, sha256 } from '../files/lazy-crypto.ts'
import { look } from '../files/look.ts'
import { followed } from '../files/real-path.ts'
import { fileError, onFile } from '../files/system-error.ts'
import { isWithin } from '../machine/path.ts'

/** A file or link of a plugin, by its path in it. */
export interface TreeEntry {
  readonly path: string
  readonly size: number
  /** Times in ms of its content and of its entry in the file system. Together with the size they tell that it is unchanged. */
  readonly modified: number
  readonly changed: number
  readonly isExecutable: boolean
  /** Where a link leads. Absent for a file. */
  readonly target?: string
}

export interface ContentTree {
  /** In the order of their paths. */
  readonly entries: readonly TreeEntry[]
  /** Name what is left out, and why. */
  readonly notes: readonly string[]
}

/** Bounds of a plugin, and of a marketplace with all its plugins. */
export const treeLimits = {
  entries: 20_000,
  bytes: 200 * 1024 * 1024,
  fileBytes: 25 * 1024 * 1024,
  levels: 24,
}

/** Lists what a folder holds. Leaves out git's folders, and links that lead out. Throws `invalid` if it is too large, `not_found`. */
export function readTree(root: string): ContentTree {
  const entries: TreeEntry[] = []
  const notes: string[] = []
  let bytes = 0
  let seen = 0
  const real = followed(root)
  const walk = (folder: string, level: number): void => {
    for (const name of namesIn(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      const found = look(join(root, path))
      const fault = faultOf(name, level)
      if (name.toLowerCase() === '.git' || found === undefined) continue
      seen++
      if (fault !== undefined) notes.push(`${JSON.stringify(path.slice(0, 200))} is skipped: ${fault}`)
      else if (found.isDirectory()) walk(path, level + 1)
      else if (found.isSymbolicLink()) {
        const target = readlinkSync(join(root, path))
        const isInside = !isAbsolute(target) && isWithin(followed(join(root, path)), real)
        if (isInside) entries.push({ ...stampOf(found), path, size: 0, isExecutable: false, target })
        else notes.push(`${JSON.stringify(path)} is skipped: it is a link that leads out`)
      } else if (found.isFile()) {
        bytes += found.size
        if (found.size > treeLimits.fileBytes) throw tooLarge(`${path} has more than 25 MiB`)
        entries.push({ ...stampOf(found), path, size: found.size, isExecutable: (found.mode & 0o100) !== 0 })
      } else notes.push(`${JSON.stringify(path)} is skipped: it is no file`)
      // Folders and what is left out count too: a walk ends.
      if (seen > 2 * treeLimits.entries || entries.length > treeLimits.entries)
        throw tooLarge(`it has more than ${treeLimits.entries} files`)
      if (bytes > treeLimits.bytes) throw tooLarge('it has more than 200 MiB')
    }
  }
  walk('', 1)
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { entries, notes }
}

function stampOf({ mtimeMs, ctimeMs }: { readonly mtimeMs: number; readonly ctimeMs: number }) {
  return { modified: mtimeMs, changed: ctimeMs }
}

function faultOf(name: string, level: number): string | undefined {
  if (/[\p{C}\p{Zl}\p{Zp}\\]/u.test(name)) return 'invisible characters in its name'
  return level > treeLimits.levels ? `it lies more than ${treeLimits.levels} folders deep` : undefined
}

function tooLarge(reason: string): PipeError {
  return new PipeError('invalid', `too large for a plugin: ${reason}`)
}

function namesIn(folder: string): readonly string[] {
  return onFile(folder, 'read', () => readdirSync(folder))
}

/** SHA-256 of an entry's content: that of a file, or where a link leads. Throws like `fileError`. */
export function entryHash(root: string, { path, target }: TreeEntry): string {
  return sha256(target ?? readBytes(join(root, path)))
}

/** Copies entries into a new folder of the owner. Returns the hash of each, in their order. Throws like `fileError`. */
export function copyTree(from: string, to: string, entries: readonly TreeEntry[]): readonly string[] {
  return entries.map(({ path, target, isExecutable }) => {
    const place = join(to, path)
    try {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
      const bytes = target ?? readBytes(join(from, path))
      if (target === undefined)
        writeFileSync(place, bytes, { mode: isExecutable ? 0o700 : 0o600, flag: 'wx' })
      else symlinkSync(target, place)
      return sha256(bytes)
    } catch (error) {
      throw fileError(error, join(from, path), 'copy')
    }
  })
}

/** Reads a file that may have been exchanged since it was listed: follows no link and waits for no pipe. */
function readBytes(path: string): Uint8Array {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const { size } = fstatSync(descriptor)
      if (size > treeLimits.fileBytes) throw tooLarge(`${path} has more than 25 MiB`)
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

/** SHA-256 over all paths, kinds and contents of a tree, and what stands in its marketplace about it. An approval is bound to it. */
export function treeHash(entries: readonly TreeEntry[], hashes: readonly string[], more: string): string {
  const hash = crypto().createHash('sha256')
  for (const [i, { path, target, isExecutable }] of entries.entries())
    hash.update(`${JSON.stringify(path)} ${kindOf(target, isExecutable)} ${hashes[i]}\n`)
  return hash.update(more).digest('hex')
}

function kindOf(target: string | undefined, isExecutable: boolean): string {
  if (target !== undefined) return 'link'
  return isExecutable ? 'program' : 'file'
}
