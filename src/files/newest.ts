import { lstat } from 'node:fs/promises'
import { throwIfAborted } from '../error.ts'

const atOnce = 64

/** The same paths, the file changed last first; files that are gone come last. */
export async function newestFirst(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  const dated: { readonly path: string; readonly changed: number }[] = []
  for (let i = 0; i < paths.length; i += atOnce) {
    throwIfAborted(signal)
    dated.push(...(await Promise.all(paths.slice(i, i + atOnce).map(withTime))))
  }
  return dated.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

async function withTime(path: string) {
  const changed = await lstat(path).then(
    (stats) => stats.mtimeMs,
    () => Number.NEGATIVE_INFINITY,
  )
  return { path, changed }
}
