import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { sha256 } from '../files/lazy-crypto.ts'
import { look } from '../files/look.ts'
import { fileError } from '../files/system-error.ts'
import { escapeGlob } from '../globs/compile-glob.ts'
import { type Accesses, follow } from './path-access.ts'
import { repositoryAt } from './repository.ts'

/** Larger exclude files are not read; normal ones have a few lines. */
const mostBytes = 1_048_576

/**
 * Copies of repositories' exclude files in `folder` that also name the placeholders, by the original's path. With these mounted, git
 * does not list placeholders. A repository without `info/exclude` gets none.
 */
export async function coverExcludes(
  accesses: Accesses,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const absent = [...accesses].flatMap(([path, access]) => (access === 'empty_file' ? [path] : []))
  const lines = new Map<string, string[]>()
  for (const above of new Set(absent.map(dirname))) {
    const found = await excludesAbove(above)
    if (found === undefined) continue
    const names = absent.filter((path) => dirname(path) === above)
    lines.set(found.file, [
      ...(lines.get(found.file) ?? []),
      ...names.map((path) => pattern(found.top, path)),
    ])
  }
  return new Map(
    [...lines].flatMap(([file, more]) => {
      const own = readExcludes(file)
      return own === undefined ? [] : [[file, write(folder, own, more)] as const]
    }),
  )
}

/** The nearest repository at or above a folder: its top folder and its exclude file. */
async function excludesAbove(
  folder: string,
): Promise<{ readonly top: string; readonly file: string } | undefined> {
  const repository = await repositoryAt(join(folder, '.git'))
  if (repository === undefined || look(join(repository.folder, 'HEAD')) === undefined) {
    return folder === '/' ? undefined : excludesAbove(dirname(folder))
  }
  const file = await follow(join(repository.shared, 'info/exclude'))
  return { top: folder, file }
}

function readExcludes(file: string): Buffer | undefined {
  const found = look(file)
  if (found?.isFile() !== true || found.size > mostBytes) return undefined
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** A pattern that matches only this path. */
function pattern(top: string, path: string): string {
  return `/${escapeGlob(relative(top, path))}`
}

/** Names the copy by its contents, because running commands may have an older copy open. */
function write(folder: string, own: Buffer, lines: readonly string[]): string {
  const whole = Buffer.concat([own, Buffer.from(`\n${lines.join('\n')}\n`)])
  const written = join(folder, `exclude-${sha256(whole).slice(0, 16)}`)
  try {
    if (look(written) === undefined) writeFileSync(written, whole, { flag: 'wx' })
  } catch (error) {
    throw fileError(error, written, 'write')
  }
  return written
}
