import type { Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { twinsOf } from '../../../builtin/file/twin.ts'
import { entryNames, lookThrough } from '../../../files/look.ts'
import { type Mention, readMentions } from '../../../frontend/mentions.ts'

/** Folders from which a prompt's paths are resolved. */
export interface PathBase {
  readonly cwd: string
  /** Replaces `~`. Default: it stays as it is. */
  readonly home?: string | undefined
}

/** A path that exists. */
export interface FoundPath {
  /** Absolute or relative to the folder. */
  readonly path: string
  readonly stat: Stats
}

/** Returns the files and folders that `@path` words of a prompt name. */
export function mentionedPaths(prompt: string, base: PathBase): readonly FoundPath[] {
  const found = readMentions(prompt).flatMap((mention) => mentionedPath(mention, base) ?? [])
  return [...new Map(found.map((one) => [one.path, one])).values()]
}

/** Returns the file or folder that a mention names, `undefined` if there is none. */
export function mentionedPath({ readings }: Mention, base: PathBase): FoundPath | undefined {
  for (const reading of readings) {
    const found = findPath(reading, base)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns what is at a path, also one below `~`, or one whose names look the same: letters composed differently, or other spaces, quotes and
 * dashes, as in the names of screenshots.
 */
export function findPath(path: string, { cwd, home }: PathBase): FoundPath | undefined {
  const own = home === undefined ? path : path.replace(/^~(?=\/|$)/, () => home)
  for (const one of new Set([path, own])) {
    const stat = lookThrough(resolve(cwd, one))
    if (stat !== undefined) return { path: one, stat }
  }
  const like = canHaveTwins.test(own) ? likePath(own, cwd) : undefined
  const stat = like === undefined ? undefined : lookThrough(resolve(cwd, like))
  return like === undefined || stat === undefined ? undefined : { path: like, stat }
}

/** Other characters are written in one way only. */
const canHaveTwins = /[^\x21-\x7e]|['"-]/

/** Replaces each name of a path that does not exist by the only one beside it that looks the same. */
function likePath(path: string, cwd: string): string | undefined {
  let like = path.startsWith('/') ? '/' : ''
  for (const name of path.split('/').filter(Boolean)) {
    const next = join(like, name)
    if (lookThrough(resolve(cwd, next)) !== undefined) {
      like = next
      continue
    }
    const [twin, ...more] = twinsOf(name, entryNames(resolve(cwd, like)))
    if (twin === undefined || more.length > 0) return undefined
    like = join(like, twin)
  }
  return like
}
