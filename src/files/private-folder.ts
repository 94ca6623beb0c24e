import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PipeError } from '../error.ts'
import { fileError, systemCode } from './system-error.ts'

/**
 * Creates a folder, and missing ones above it, that only its owner may enter. Throws `config` if no folder can be created there,
 * `permission`, `internal`.
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
  ENOENT: 'no folder can be created there',
}

/**
 * Creates a folder and missing ones above it one by one: Node's recursive mode never returns on file systems without `mkdir`, such as
 * `/proc`. Throws system errors.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    makeFolder(path, mode)
    return
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  const above = dirname(path)
  if (!isFolder(above)) makeFolders(above, mode)
  // Tried once more even if the folder above is there: another process may have made it only now.
  makeFolder(path, mode)
}

/** Creates a folder, unless it is there. */
function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
