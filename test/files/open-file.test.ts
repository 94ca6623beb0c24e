import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OpenFile } from '../../src/files/open-file.ts'
import { folderWith } from '../support/folders/folder.ts'

it('syncs the file, and its name if it is new', async () => {
  const path = join(await folderWith(), 'file')
  const file = new OpenFile(path, openSync(path, 'wx'), { isNew: true })
  writeSync(file.descriptor, 'text')
  await file.sync()
  file.close()
  expect(await readFile(path, 'utf8')).toBe('text')
  await expect(file.sync()).rejects.toMatchObject({
    code: 'internal',
    message: `cannot sync ${path}: EBADF: bad file descriptor, fdatasync`,
  })
})

it.skipIf(!existsSync('/proc/self'))('accepts a folder that cannot be synced', async () => {
  const descriptor = openSync(join(await folderWith(), 'file'), 'wx')
  try {
    await new OpenFile('/proc/file', descriptor, { isNew: true }).sync()
  } finally {
    closeSync(descriptor)
  }
})
