import { basename, dirname, join, resolve } from 'node:path'
import type { CommandContext } from '../command-line.ts'
import type { Reach } from './reach.ts'

/** Folders that are told apart; of a line that changes it more often, the first. */
const mostFolders = 64
/** How often one `cd` is followed by itself. */
const mostTurns = 3

/** Every folder that a command of a line may run in, as far as it is known: `cwd` first. */
export function foldersOf({ folders }: Reach, { cwd, home }: CommandContext): readonly string[] {
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
 * Where a path leads from a folder, also by the kernel's links to where a process runs, each of which is taken for this folder. The
 * homes of all users are taken to lie beside each other.
 */
export function enter(folder: string, path: string, home: string): string {
  const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(path) ?? []
  if (user === undefined) return followed(path.startsWith('/') ? path : `${folder}/${path}`, folder)
  if (user === '+' || user === '-') return resolve(folder + rest)
  return resolve((user === '' || user === basename(home) ? home : join(dirname(home), user)) + rest)
}

/** Paths on the way to which the kernel's links may lie. */
const mayHoldLinks = /\/(proc|dev)\/|^\/+[^/*?[]*[*?[]/
/** Characters of such a link. */
const longestLink = 512
const ownFolder = /^\/(proc|[^/*?[]*[*?[][^/]*)\/[^/]+\/(task\/[^/]+\/)?(cwd|[cwd]*[*?[][^/]*)$/
const ownRoot = /^\/proc\/[^/]+\/(task\/[^/]+\/)?root$/
/** From these, `..` leads to what the kernel tells of a process. */
const ofProcess: ReadonlyMap<string, string> = new Map([
  ['/dev/fd', '/proc/self/fd'],
  ['/proc/net', '/proc/self/net'],
])

/** An absolute path with each link of the kernel's followed where it stands, as `..` behind it means what it leads to. */
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
