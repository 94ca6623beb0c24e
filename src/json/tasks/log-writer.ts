import { constants, fstatSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { readFrom, writeWhole } from '../../files/descriptor.ts'
import { OpenFile } from '../../files/open-file.ts'
import { systemCode } from '../../files/system-error.ts'
import { headerLine } from './task-line.ts'

/** Opens a log for reading and appending, and creates a missing one. The caller closes it. Throws system errors. */
export function openLog(path: string): OpenFile {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  return new OpenFile(path, descriptor, { isNew: fstatSync(descriptor).size === 0 })
}

/** Moves the bytes after the last complete event, which a crash has left, to another file. Throws system errors. */
export function putAside(descriptor: number, { from, path }: { from: number; path: string }): void {
  try {
    writeFileSync(path, readFrom(descriptor, from), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') rmSync(path, { force: true })
    throw error
  }
  ftruncateSync(descriptor, from)
}

/** Appends lines to a log that ends at `size`, after a header if it is empty. Removes a part of them on failure. Throws system errors. */
export function appendLines(descriptor: number, lines: readonly object[], size: number): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  try {
    writeWhole(descriptor, Buffer.from(size === 0 ? headerLine + text : text))
  } catch (error) {
    ftruncateSync(descriptor, size)
    throw error
  }
}
