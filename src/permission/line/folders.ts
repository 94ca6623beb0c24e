import { basename, dirname, join, resolve } from 'node:path'
import type { CommandContext } from '../command-line.ts'
import type { Execution } from './execution.ts'

/** Folders to consider. A line with more has only the first ones. */
const mostFolders = 64
/** Times that the same `cd` is applied in a row. */
const mostTurns = 3

/** Every folder that a command of the line may run in, as far as known. The first is `cwd`. */
export function foldersOf({ folders }: Execution, { cwd, home }: CommandContext): readonly string[] {
  const all = new Set([cwd])
  for (let turn = 0; turn < mostTurns; turn++) {
    for (const folder of folders) {
      if (folder === undefined) continue
      for (const one of [...all]) if (all.size < mostFolders) all.add(enter(one, folder, home))
    }
  }
  return [...all]
}

/**
 * Resolves a path from a folder. A `/proc/PID/cwd` link counts as this folder, because it may be the command's own. Assumes that
 * all homes lie next to `home`.
 */
export function enter(folder: string, path: string, home: string): string {
  const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(path) ?? []
  if (user === undefined) return followed(path.startsWith('/') ? path : `${folder}/${path}`, folder)
  if (user === '+' || user === '-') return resolve(folder + rest)
  return resolve((user === '' || user === basename(home) ? home : join(dirname(home), user)) + rest)
}

/** Paths that may go through one of the kernel's links. */
const mayHoldLinks = /\/(proc|dev)\/|^\/+[^/*?[]*[*?[]/
/** Characters. No such link has a longer path. */
const longestLink = 512
const ownFolder = /^\/(proc|[^/*?[]*[*?[][^/]*)\/[^/]+\/(task\/[^/]+\/)?(cwd|[cwd]*[*?[][^/]*)$/
const ownRoot = /^\/proc\/[^/]+\/(task\/[^/]+\/)?root$/
/** `..` after these leads to their targets' parent in `/proc`. */
const ofProcess: ReadonlyMap<string, string> = new Map([
  ['/dev/fd', '/proc/self/fd'],
  ['/proc/net', '/proc/self/net'],
])

/** Follows the kernel's links at each step, because a later `..` is relative to the link's target. */
function followed(path: string, folder: string): string {
  if (!mayHoldLinks.test(path)) return resolve(path)
  let at = '/'
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    at = name === '..' ? dirname(ofProcess.get(at) ?? at) : `${at === '/' ? '' : at}/${name}`
    if (at.length > longestLink) continue
    if (ownFolder.test(at)) at = folder
    else if (ownRoot.test(at)) at = '/'
  }
  return resolve(at)
}
