import { join } from 'node:path'
import { sha256 } from '../../files/lazy-crypto.ts'
import { look } from '../../files/look.ts'
import { listFolder } from '../../files/walk/list-folder.ts'

/** Returns a hash of these files' names, sizes and times. Folders count with all that is in them. Paths are relative to the root. */
export async function stampOf(root: string, paths: readonly string[]): Promise<string> {
  const lines: string[] = []
  // One folder at a time: too many open ones would fail.
  for (const path of paths) for await (const line of linesOf(root, path)) lines.push(line)
  return sha256(lines.sort().join('\n'))
}

async function* linesOf(root: string, path: string): AsyncGenerator<string, void, undefined> {
  const full = join(root, path)
  const stats = look(full)
  const entries = stats?.isDirectory() === true ? await listFolder(full, Number.POSITIVE_INFINITY) : undefined
  if (entries === undefined) {
    yield JSON.stringify([path, stats?.ino, stats?.size, stats?.mtimeMs, stats?.ctimeMs])
    return
  }
  for (const { name } of entries) yield* linesOf(root, join(path, name))
}
