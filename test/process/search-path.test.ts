import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { absoluteEntries, findProgram, pathOutside, programsWithin } from '../../src/process/search-path.ts'
import { type Folder, temporaryFolder } from '../files/folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
  for (const name of ['project/bin/ls', 'system/ls', 'system/git']) {
    await chmod(await folder.put(name), 0o755)
  }
  await folder.put('project/bin/git')
  await mkdir(folder.at('system/sh'))
})
afterEach(() => folder.remove())

it('leaves out relative and empty entries', () => {
  expect(absoluteEntries('.:/usr/bin::node_modules/.bin:../x:/bin:')).toEqual(['/usr/bin', '/bin'])
  expect(absoluteEntries('')).toEqual([])
})

it('leaves out relative entries and those of the project for programs that look up others', () => {
  const path = `.:${folder.at('project/bin')}:${folder.at('system')}:node_modules/.bin`
  expect(pathOutside(path, [folder.at('project')])).toBe(folder.at('system'))
})

it('finds a program by an absolute entry outside the project', () => {
  const path = `.::${folder.at('project/bin')}:${folder.at('system')}`
  const project = [folder.at('project')]
  expect(findProgram('ls', path)).toBe(folder.at('project/bin/ls'))
  expect(findProgram('ls', path, project)).toBe(folder.at('system/ls'))
  // One is not executable, the other a folder.
  expect(findProgram('git', path)).toBe(folder.at('system/git'))
  expect(findProgram('sh', path)).toBe(undefined)
})

it('finds a program of the project that comes before that of the system', async () => {
  await symlink(folder.at('project/bin'), folder.at('link'))
  const [project, system] = [folder.at('project'), folder.at('system')]
  const own = programsWithin([project], `${join(project, 'bin')}:${system}`)
  expect(['ls', 'git', 'none'].map(own)).toEqual([folder.at('project/bin/ls'), undefined, undefined])
  expect(programsWithin([project], `${system}:${join(project, 'bin')}`)('ls')).toBe(undefined)
  expect(programsWithin([project], `${folder.at('link')}:${system}`)('ls')).toBe(folder.at('link/ls'))
})
