import { isAbsolute, join, relative, resolve } from 'node:path'

/**
 * The absolute path that is meant: relative to `cwd`, absolute, or below `~`. Who judges a call and who carries it out understand it
 * alike.
 */
export function resolvePath(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(cwd, path)
}

/** Whether a path is this folder or lies below it, by its text alone. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside)
}
