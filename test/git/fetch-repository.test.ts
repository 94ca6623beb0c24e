import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { fetchRepository, type WantedCommit } from '../../src/git/fetch-repository.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { folderWith } from '../support/folders/folder.ts'
import { repositoryWith } from '../support/plugins/repository.ts'

const most = { entries: 100, bytes: 1024 * 1024 }

async function fetched(wanted: WantedCommit, env: Readonly<Record<string, string>> = {}) {
  const folder = await folderWith({})
  const into = join(folder, 'files')
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  const searchPath = process.env['PATH'] ?? ''
  const { signal } = new AbortController()
  const work = fetchRepository(wanted, into, { commands, searchPath, env, most, signal })
  return { into, folder, commit: await work }
}

it('the files of the newest commit are fetched, and nothing of git beside them', async () => {
  const repository = await repositoryWith({ 'a.txt': 'one', 'b/c.txt': 'two' })
  const commit = repository.commit({ 'a.txt': 'three' })
  const got = await fetched({ url: repository.url })
  expect(got.commit).toBe(commit)
  expect(readdirSync(got.into).sort()).toEqual(['a.txt', 'b'])
  expect(readFileSync(join(got.into, 'a.txt'), 'utf8')).toBe('three')
  expect(readdirSync(got.folder)).toEqual(['files'])
})

it('a branch, a tag and an older commit are fetched by name', async () => {
  const repository = await repositoryWith({ 'a.txt': 'one' })
  const first = repository.git('rev-parse', 'HEAD')
  repository.git('tag', 'v1')
  repository.git('branch', 'side/way')
  repository.commit({ 'a.txt': 'two' })
  for (const wanted of [{ ref: 'v1' }, { ref: 'side/way' }, { sha: first }, { sha: first, ref: 'main' }])
    expect((await fetched({ url: repository.url, ...wanted })).commit).toBe(first)
})

it('a commit that is not there is refused', async () => {
  const repository = await repositoryWith({ 'a.txt': 'one' })
  const sha = 'a'.repeat(40)
  await expect(fetched({ url: repository.url, sha })).rejects.toThrow(`has no commit ${sha}`)
})

it('a repository that is too large writes no file', async () => {
  const large = await repositoryWith({ 'a.bin': new Uint8Array(2 * 1024 * 1024) })
  await expect(fetched({ url: large.url })).rejects.toThrow('too large')
  const many = await repositoryWith(
    Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}.txt`, `${i}`])),
  )
  await expect(fetched({ url: many.url })).rejects.toThrow('more than 100 files')
})

it('neither hooks, filters, submodules nor the configuration of a repository run anything', async () => {
  const marks = await folderWith({})
  const mark = join(marks, 'ran')
  const other = await repositoryWith({ 'x.txt': 'x' })
  const repository = await repositoryWith({
    '.gitattributes': '*.bin filter=lfs diff=lfs\n*.txt filter=evil\n',
    'a.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    'a.txt': 'text',
    '.gitconfig': `[filter "evil"]\n\tsmudge = touch ${mark}\n[core]\n\tfsmonitor = touch ${mark}\n`,
    '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = ${other.url}\n\tupdate = !touch ${mark}\n`,
  })
  repository.git('update-index', '--add', '--cacheinfo', `160000,${other.git('rev-parse', 'HEAD')},m`)
  repository.git('commit', '--quiet', '-m', 'Add a submodule')
  repository.git('config', 'filter.evil.smudge', `touch ${mark}`)
  repository.git('config', 'uploadpack.packObjectsHook', `touch ${mark}`)
  const { into } = await fetched({ url: repository.url }, { HOME: repository.folder })
  expect(existsSync(mark)).toBe(false)
  expect(readFileSync(join(into, 'a.bin'), 'utf8')).toContain('git-lfs')
  expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe('text')
  expect(readdirSync(join(into, 'm'))).toEqual([])
})

it('a link is written as a link, and nothing is written through it', async () => {
  const outside = await folderWith({})
  const repository = await repositoryWith({})
  symlinkSync(outside, join(repository.folder, 'out'))
  repository.commit({})
  const { into } = await fetched({ url: repository.url })
  expect(lstatSync(join(into, 'out')).isSymbolicLink()).toBe(true)
  expect(readdirSync(outside)).toEqual([])
})

it('an address that names a program reaches none', async () => {
  const folder = await folderWith({})
  const mark = join(folder, 'ran')
  await expect(fetched({ url: `ext::sh -c touch% ${mark}` })).rejects.toThrow(/not allowed/)
  expect(existsSync(mark)).toBe(false)
})
