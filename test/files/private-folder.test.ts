import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { makePrivateFolder } from '../../src/files/private-folder.ts'
import { writeAtomically } from '../../src/files/writing/atomic.ts'
import { bundledProgram } from '../support/programs/bundled-program.ts'
import { quickIt as it, slowIt } from '../support/thorough.ts'
import { thrown } from '../support/thrown.ts'
import { type Folder, temporaryFolder } from './folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const startMaker = bundledProgram(join(import.meta.dirname, 'folder-maker.ts'))

describe('a private folder', () => {
  it('is created with those above it, for its owner only, and may exist already', () => {
    for (let i = 0; i < 2; i++) makePrivateFolder(folder.at('a/b/c'))
    expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(folder.at(path)).mode & 0o7777)).toEqual([
      0o700, 0o700, 0o700,
    ])
  })

  slowIt('may be created by several processes at once, with those above it', async () => {
    const makers = Array.from({ length: 4 }, () => startMaker(`"${folder.at('shared')}" 1000`))
    const failures: string[] = []
    await Promise.all(
      makers.map(async ({ lines }) => {
        for await (const line of lines) failures.push(line)
      }),
    )
    expect(failures).toEqual([])
  })

  it('is refused by name if there is a file in its place or above it', async () => {
    const file = await folder.put('sessions')
    expect([
      await thrown(() => makePrivateFolder(file)),
      await thrown(() => makePrivateFolder(`${file}/a/b`)),
    ]).toMatchObject([
      { code: 'config', message: `cannot make the folder ${file}: there is a file in its place` },
      {
        code: 'config',
        message: `cannot make the folder ${file}/a/b: a part of the path is a file, not a folder`,
      },
    ])
  })

  it.skipIf(process.platform !== 'linux')(
    'is refused at once if the file system cannot create it',
    async () => {
      expect(await thrown(() => makePrivateFolder('/proc/x/y'))).toMatchObject({
        code: 'config',
        message: 'cannot make the folder /proc/x/y: no folder can be created there',
      })
      await expect(writeAtomically('/proc/x/y', new Uint8Array())).rejects.toMatchObject({
        code: 'not_found',
      })
    },
  )
})
