import { closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemCode } from './system-error.ts'
import { exchanged, isOpenedAt, openFilePath, wayTo } from './writing/exchanged.ts'

/** An open folder. On Linux, work in it stays in it even if its path changes. The owner closes it. */
export interface OpenFolder {
  readonly path: string
  /** A path to this name inside the folder. On Linux it goes through the open handle. */
  at(name: string): string
  close(): void
}

/** `O_PATH`, which Node does not export: opens a folder that may be entered but not read. */
const held = process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY

/** Opens the folder at a real path. Throws `invalid` if the path now leads somewhere else, and system errors. */
export function openFolder(path: string, doing: 'write' | 'list' | 'move'): OpenFolder {
  return openBy(path, path, doing)
}

/** Opens a folder for writing like `openFolder`, and creates missing folders. */
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

function openBy(way: string, path: string, doing: 'write' | 'list' | 'move'): OpenFolder {
  const descriptor = openSync(way, held | constants.O_DIRECTORY)
  const close = () => closeSync(descriptor)
  try {
    if (!isOpenedAt(descriptor, path)) throw exchanged(path, doing)
  } catch (error) {
    close()
    throw error
  }
  const reach = openFilePath(descriptor) === undefined ? path : wayTo(descriptor)
  return { path, at: (name) => join(reach, name), close }
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
