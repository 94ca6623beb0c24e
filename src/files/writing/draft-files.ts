import { mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { isPipeError } from '../../error.ts'
import { crypto } from '../lazy-crypto.ts'
import { ownerOf, processMark } from '../lock/process-mark.ts'
import { type OpenFolder, openWithin } from '../open-folder.ts'
import { systemCode } from '../system-error.ts'

/**
 * Name of the subfolder for drafts, which exists only during writes. The next writer finds the leftovers of a killed process there
 * without listing a large folder.
 */
const draftsName = '.pipe-drafts'

/** Milliseconds before a draft of another container or machine counts as abandoned. */
const abandonedAfterMs = 600_000

/** The place of a new draft file. */
export interface OpenDraft {
  readonly folder: OpenFolder
  readonly name: string
  /** Removes the drafts folder and leftovers of killed processes. Keeps the folder while others write in it. */
  close(): void
}

/** Opens a place for a draft. Falls back to the folder itself when no drafts folder can be made or entered. Throws system errors. */
export function openDraft(folder: OpenFolder): OpenDraft {
  const name = `${processMark()}${crypto().randomBytes(8).toString('hex')}`
  const drafts = openDrafts(folder)
  if (drafts === undefined) return { folder, name: `.pipe-${name}.tmp`, close: () => undefined }
  return {
    folder: drafts,
    name,
    close: () => {
      drafts.close()
      if (removeFolder(folder)) return
      sweep(folder)
      removeFolder(folder)
    },
  }
}

function openDrafts(folder: OpenFolder): OpenFolder | undefined {
  try {
    makeIfMissing(folder.at(draftsName))
    return openWithin(folder, draftsName)
  } catch (error) {
    if (systemCode(error) === undefined && !isPipeError(error)) throw error
    return undefined
  }
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** Returns false if the folder is not empty. */
function removeFolder(folder: OpenFolder): boolean {
  try {
    rmdirSync(folder.at(draftsName))
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return systemCode(error) === 'ENOENT'
  }
}

/** Removes drafts of dead processes. Leaves files with any other name. */
function sweep(folder: OpenFolder): void {
  const drafts = openDrafts(folder)
  if (drafts === undefined) return
  try {
    for (const name of readdirSync(drafts.at('.'))) if (isLeft(drafts, name)) unlinkSync(drafts.at(name))
  } catch (error) {
    // Another process may be sweeping too, or the folder may be unreadable.
    if (systemCode(error) === undefined) throw error
  } finally {
    drafts.close()
  }
}

function isLeft(drafts: OpenFolder, name: string): boolean {
  const owner = ownerOf(name)
  if (owner !== 'foreign') return owner === 'dead'
  // Our own draft was just removed from the folder, so its mtime is the current time of the file system's clock.
  return statSync(drafts.at('.')).mtimeMs - statSync(drafts.at(name)).mtimeMs > abandonedAfterMs
}
