import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PipeError } from '../error.ts'
import { fileError, systemCode } from './system-error.ts'

/**
 * Makes a folder that only its owner may enter, and those above it, where they are missing. Throws `config` where there can be no
 * folder, `permission`, `internal`.
 */
export function makePrivateFolder(path: string): void {
  try {
    makeFolders(path, 0o700)
  } catch (error) {
    const failure = fileError(error, path, 'make')
    const reason = impossible[failure.details['reason'] ?? '']
    if (reason === undefined) throw failure
    throw new PipeError('config', `cannot make the folder ${path}: ${reason}`, {
      cause: error,
      details: failure.details,
    })
  }
}

const impossible: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file in its place',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOENT: 'there can be no folder',
}

/**
 * Makes a folder and those above it, where they are missing, one by one: in a file system that makes none, such as `/proc`,
 * Node's own way to do it never ends. Throws what the system says.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (isFolder(path)) return
    const above = dirname(path)
    if (systemCode(error) !== 'ENOENT' || isFolder(above)) throw error
    makeFolders(above, mode)
    makeFolders(path, mode)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
