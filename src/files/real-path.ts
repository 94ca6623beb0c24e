import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { promises } from './lazy-fs.ts'
import { look } from './look.ts'
import { systemCode } from './system-error.ts'

/** Links on one path. Linux follows no more. */
const mostLinks = 40

/**
 * Resolves an absolute path link by link, even if its end does not exist yet or a link dangles. Yields the path that each link
 * leads to, and returns the real path. Throws the system's error for a loop of links.
 */
function* followLinks(path: string): Generator<string, string> {
  let real = '/'
  let names = path.split('/')
  for (let links = 0; names.length > 0; ) {
    const [name = '', ...rest] = names
    if (name === '' || name === '.') {
      names = rest
      continue
    }
    // `..` goes up from where the path before it leads. `join` would take longer than the look: a start asks for forty paths.
    const at = name === '..' ? dirname(real) : real === '/' ? `/${name}` : `${real}/${name}`
    const found = look(at)
    if (found === undefined) return join(at, ...rest)
    if (found.isSymbolicLink()) {
      if (++links > mostLinks) return realpathSync.native(path)
      const target = readlinkSync(at)
      if (isAbsolute(target)) real = '/'
      names = [...target.split('/'), ...rest]
      yield join(real, ...names)
    } else {
      real = at
      names = rest
    }
  }
  return real
}

/** Every path that the links of an absolute path lead to, the real path last. Only the path itself if it cannot be resolved. */
export function wayOf(path: string): readonly string[] {
  try {
    return stepsOf(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return [path]
  }
}

function stepsOf(path: string): readonly string[] {
  const steps = followLinks(path)
  const way = new Set<string>()
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) way.add(step.value)
  way.delete(step.value)
  return [...way, step.value]
}

/** Follows all links of an absolute path. Returns the path itself if that is not possible. */
export function followed(path: string): string {
  return wayOf(path).at(-1) ?? path
}

/**
 * Follows all links of an absolute path, as far as it exists. Throws the system's error for a loop of links, or if a part of the
 * path is a file or not searchable.
 */
export async function realPath(path: string): Promise<string> {
  try {
    return await promises().realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return stepsOf(path).at(-1) ?? path
  }
}
