import { isAbsolute, join, relative, resolve } from 'node:path'

/**
 * Resolves a path that is absolute, relative to `cwd` or below `~`. Used both to judge and to run a call, so both mean the same
 * path.
 */
export function resolvePath(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(cwd, path)
}

/** Returns an absolute path, below the home folder with `~`. */
export function belowHome(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** Whether a path is this folder or lies below it, by text alone. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside)
}

/** Names a path as seen from a folder: relative if it lies below, else whole. The folder itself is the empty text. */
export function pathFrom(folder: string, path: string): string {
  return isWithin(path, folder) ? relative(folder, path) : path
}
