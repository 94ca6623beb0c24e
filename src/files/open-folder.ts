import { closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exchanged, isOpenedAt, placeOf, wayTo } from './exchanged.ts'
import { systemCode } from './system-error.ts'

/** A folder that is held: on Linux what is done in it is done there, whatever becomes of its path. Its owner closes it. */
export interface OpenFolder {
  readonly path: string
  /** What leads to this name in it; elsewhere than on Linux that is its path. */
  at(name: string): string
  close(): void
}

/** `O_PATH`, which Node does not name: a folder may be entered without being readable. */
const held = process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY

/** Opens the folder at a real path. Throws `invalid` where that leads elsewhere by now, and what the system says. */
export function openFolder(path: string, doing: 'write' | 'list'): OpenFolder {
  return openBy(path, path, doing)
}

/** The same for writing; makes it, and those above it, where they are missing. */
export function openOrMakeFolder(path: string): OpenFolder {
  const above = dirname(path)
  try {
    return openFolder(path, 'write')
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || above === path) throw error
  }
  const folder = openOrMakeFolder(above)
  try {
    const way = folder.at(basename(path))
    makeIfMissing(way)
    return openBy(way, path, 'write')
  } finally {
    folder.close()
  }
}

/** Opens a subfolder of an open folder for writing. Throws the same errors. */
export function openWithin(folder: OpenFolder, name: string): OpenFolder {
  return openBy(folder.at(name), join(folder.path, name), 'write')
}

function openBy(way: string, path: string, doing: 'write' | 'list'): OpenFolder {
  const descriptor = openSync(way, held | constants.O_DIRECTORY)
  const close = () => closeSync(descriptor)
  try {
    if (!isOpenedAt(descriptor, path)) throw exchanged(path, doing)
  } catch (error) {
    close()
    throw error
  }
  const reach = placeOf(descriptor) === undefined ? path : wayTo(descriptor)
  return { path, at: (name) => join(reach, name), close }
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
