import { relative } from 'node:path'
import { isWithin } from '../../machine/path.ts'

/** A path as people write it: relative to the working folder, else below `~`, else absolute. */
export function shownPath(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (path === cwd) return '.'
  if (isWithin(path, cwd)) return relative(cwd, path)
  if (path === home) return '~'
  return isWithin(path, home) ? `~/${relative(home, path)}` : path
}
