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

/** Where a path leads from a folder. The homes of all users are taken to lie beside each other. */
export function enter(folder: string, path: string, home: string): string {
  const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(path) ?? []
  if (user === undefined) return resolve(folder, path)
  if (user === '+' || user === '-') return resolve(folder + rest)
  return resolve((user === '' || user === basename(home) ? home : join(dirname(home), user)) + rest)
}
