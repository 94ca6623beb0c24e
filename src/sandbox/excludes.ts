import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Accesses, follow, look } from './access.ts'
import { repositoryAt } from './repository.ts'

/** The excludes of a repository are a few lines. */
const mostBytes = 1_048_576

/**
 * For each repository with stand-ins among its files, by the path of its own list of excludes, a file in `folder` that names
 * them as well: so git lists nothing that is not there. Where a repository has no such list (`info/exclude`) there is none.
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
  return new Map([...lines].map(([file, more]) => [file, write(folder, file, more)]))
}

/** Of the nearest repository upwards: where its files begin, and its list. */
async function excludesAbove(
  folder: string,
): Promise<{ readonly top: string; readonly file: string } | undefined> {
  const repository = await repositoryAt(join(folder, '.git'))
  if (repository === undefined || look(join(repository.folder, 'HEAD')) === undefined) {
    return folder === '/' ? undefined : excludesAbove(dirname(folder))
  }
  const file = await follow(join(repository.shared, 'info/exclude'))
  return isReadable(file) ? { top: folder, file } : undefined
}

function isReadable(file: string): boolean {
  const found = look(file)
  if (found?.isFile() !== true || found.size > mostBytes) return false
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The path and no other, below the top. */
function pattern(top: string, path: string): string {
  return `/${relative(top, path).replace(/[\\*?[\]]/g, '\\$&')}`
}

/** The same bytes are the same file, which commands may have open. */
function write(folder: string, file: string, lines: readonly string[]): string {
  const whole = Buffer.concat([readFileSync(file), Buffer.from(`\n${lines.join('\n')}\n`)])
  const written = join(folder, `exclude-${createHash('sha256').update(whole).digest('hex').slice(0, 16)}`)
  if (look(written) === undefined) writeFileSync(written, whole, { flag: 'wx' })
  return written
}
