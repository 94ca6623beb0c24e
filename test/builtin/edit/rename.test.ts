import { chmod, link, lstat, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createToolbox, type Toolbox } from '../toolbox.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const disk = async (folder = '.') => (await readdir(join(toolbox.cwd, folder))).sort()
const renamed = async (from: string, to: string) => {
  const { isError, text } = await toolbox.call('rename', { from, to })
  return { isError, text }
}

describe('rename', () => {
  it('moves a file into folders that it makes, with its content and mode', async () => {
    const file = await toolbox.put('run.sh', 'echo hi\n')
    await chmod(file, 0o755)
    expect(await toolbox.call('rename', { from: 'run.sh', to: 'bin/deep/start.sh' })).toEqual({
      isError: false,
      text: 'renamed run.sh to bin/deep/start.sh',
      details: { path: 'bin/deep/start.sh', from: 'run.sh' },
      outputs: [],
    })
    expect(await disk()).toEqual(['bin'])
    const moved = join(toolbox.cwd, 'bin/deep/start.sh')
    expect([await readFile(moved, 'utf8'), (await lstat(moved)).mode & 0o777]).toEqual(['echo hi\n', 0o755])
  })

  it('moves a folder with all in it', async () => {
    await toolbox.put('old/a.txt', 'a')
    await toolbox.put('old/deep/b.txt', 'b')
    expect(await renamed('old', 'new')).toEqual({ isError: false, text: 'renamed old to new' })
    expect([await disk(), await disk('new'), await disk('new/deep')]).toEqual([
      ['new'],
      ['a.txt', 'deep'],
      ['b.txt'],
    ])
  })

  it('lets files be edited that were read under their old names', async () => {
    await toolbox.put('old/a.txt', 'one\n')
    await toolbox.call('read', { path: 'old/a.txt' })
    await renamed('old', 'new')
    const edited = { path: 'new/a.txt', old_text: 'one', new_text: 'two' }
    expect((await toolbox.call('edit', edited)).isError).toBe(false)
    await toolbox.put('old/a.txt', 'another\n')
    expect((await toolbox.call('write', { path: 'old/a.txt', content: '' })).text).toBe(
      'old/a.txt was not written: it has not been read yet; read it first',
    )
  })

  it('changes the case of a name', async () => {
    await toolbox.put('readme.md', 'hi')
    expect(await renamed('readme.md', 'README.md')).toEqual({
      isError: false,
      text: 'renamed readme.md to README.md',
    })
    expect(await disk()).toEqual(['README.md'])
  })

  it.each([
    ['overwrites nothing', 'a.txt', 'b.txt', 'b.txt already exists; nothing is overwritten'],
    [
      'overwrites no hard link to itself',
      'a.txt',
      'hard.txt',
      'hard.txt already exists; nothing is overwritten',
    ],
    ['takes no folder for a name', 'a.txt', 'dir', 'dir already exists; nothing is overwritten'],
    ['moves no folder into itself', 'dir', 'dir/in', 'a folder does not go into itself'],
    ['keeps the working folder', '.', 'elsewhere', 'it is or holds the working folder'],
    [
      'follows no link',
      'link',
      'c.txt',
      'link is a link to a.txt: name that, or move the link through bash (mv)',
    ],
  ])('%s', async (_, from, to, why) => {
    await toolbox.put('a.txt', 'a')
    await toolbox.put('b.txt', 'b')
    await toolbox.put('dir/d.txt', 'd')
    await symlink('a.txt', join(toolbox.cwd, 'link'))
    await link(join(toolbox.cwd, 'a.txt'), join(toolbox.cwd, 'hard.txt'))
    const before = await disk()
    expect(await renamed(from, to)).toEqual({ isError: true, text: `${from} was not renamed: ${why}` })
    expect([await disk(), await toolbox.get('b.txt')]).toEqual([before, 'b'])
  })

  it('makes no folder for a file that is not there', async () => {
    const { isError, text } = await renamed('missing.txt', 'new/folder/a.txt')
    expect([isError, text]).toEqual([
      true,
      `cannot move ${join(toolbox.cwd, 'missing.txt')}: no such file or folder`,
    ])
    expect(await disk()).toEqual([])
  })
})
