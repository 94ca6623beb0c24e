import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutputFile } from '../../../src/files/writing/output-file.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'

describe('a file with the output of a command', () => {
  it('is read in parts', async () => {
    const folder = await folderWith({ 'bash.log': 'one two three' })
    const file = openOutputFile(join(folder, 'bash.log'))
    const read = (at: number, length: number) => new TextDecoder().decode(file.read(at, length))
    expect([file.size, read(4, 3), read(8, 100), read(13, 5), read(0, 0)]).toEqual([
      13,
      'two',
      'three',
      '',
      '',
    ])
    file.close()
  })

  it('is refused unless it is a regular file', async () => {
    const folder = await folderWith({ real: 'secret' })
    await symlink(join(folder, 'real'), join(folder, 'link'))
    await mkdir(join(folder, 'sub'))
    for (const path of [join(folder, 'sub'), join(folder, 'link'), join(folder, 'gone'), '/dev/null'])
      expect(await thrown(() => openOutputFile(path))).toHaveProperty('code')
  })
})
