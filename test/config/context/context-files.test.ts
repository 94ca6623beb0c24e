import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readContextFiles } from '../../../src/config/context/context-files.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Reads the context files of a project's folder, by their paths in it. */
async function contextOf(files: Readonly<Record<string, string>>, cwd: string) {
  const root = await folderWith(files)
  await mkdir(join(root, cwd), { recursive: true })
  const { files: found } = readContextFiles({
    cwd: join(root, cwd),
    config: join(root, 'config'),
    home: join(root, 'home'),
  })
  return found.map(({ isOwn: _, path, ...file }) => ({ path: path.slice(root.length + 1), ...file }))
}

const whole = (path: string, text: string) => ({ path, text, truncated: false })

describe('context files', () => {
  it('are the user’s own, then those from the project’s root down to the folder', async () => {
    const files = {
      'config/AGENTS.md': 'mine',
      'AGENTS.md': 'outside of the project',
      'project/.git/HEAD': '',
      'project/AGENTS.md': 'root',
      'project/a/AGENTS.md': 'a',
      'project/a/b/AGENTS.md': 'a and b',
      'project/a/b/c/AGENTS.md': 'below',
      'project/other/AGENTS.md': 'beside',
    }
    expect(await contextOf(files, 'project/a/b')).toEqual([
      whole('config/AGENTS.md', 'mine'),
      whole('project/AGENTS.md', 'root'),
      whole('project/a/AGENTS.md', 'a'),
      whole('project/a/b/AGENTS.md', 'a and b'),
    ])
  })

  it('are only those of the folder outside a project', async () => {
    const files = { 'AGENTS.md': 'above', 'a/CLAUDE.md': 'here' }
    expect(await contextOf(files, 'a')).toEqual([whole('a/CLAUDE.md', 'here')])
  })

  it('are AGENTS.md and CLAUDE.md of each folder where they differ, which is told', async () => {
    const folder = await folderWith({
      '.git/HEAD': '',
      'AGENTS.md': 'this',
      'CLAUDE.md': 'and this',
      'a/AGENTS.md': 'the same\n',
      'a/CLAUDE.md': 'the same',
      'a/b/AGENTS.md': 'what the other imports',
      'a/b/CLAUDE.md': '@AGENTS.md\n',
    })
    const none = join(folder, 'none')
    const { files, faults } = readContextFiles({ cwd: join(folder, 'a/b'), config: none, home: none })
    expect(files.map(({ path }) => path.slice(folder.length + 1))).toEqual([
      'AGENTS.md',
      'CLAUDE.md',
      'a/AGENTS.md',
      'a/b/AGENTS.md',
    ])
    const what = 'is read as well as AGENTS.md, because they differ'
    expect(faults).toEqual([{ path: join(folder, 'CLAUDE.md'), what, isBroken: false, isDetail: true }])
  })

  it('exclude empty files and folders of these names', async () => {
    const files = { '.git/HEAD': '', 'AGENTS.md/x': '', 'CLAUDE.md': 'this', 'a/AGENTS.md': ' \n' }
    expect(await contextOf(files, 'a')).toEqual([whole('CLAUDE.md', 'this')])
  })

  it('are cut to 32 KiB in all, keeping the nearest', async () => {
    const files = {
      '.git/HEAD': '',
      'config/AGENTS.md': 'mine',
      'AGENTS.md': 'x'.repeat(20_000),
      'a/AGENTS.md': 'y'.repeat(30_000),
    }
    expect(await contextOf(files, 'a')).toEqual([
      { path: 'AGENTS.md', text: 'x'.repeat(32 * 1024 - 30_000), truncated: true },
      whole('a/AGENTS.md', 'y'.repeat(30_000)),
    ])
    expect(await contextOf({ 'AGENTS.md': 'z'.repeat(32 * 1024) }, '.')).toEqual([
      whole('AGENTS.md', 'z'.repeat(32 * 1024)),
    ])
  })

  it('are never cut inside a character', async () => {
    const [cut] = await contextOf({ 'AGENTS.md': `a${'ü'.repeat(20_000)}` }, '.')
    expect(cut).toEqual({ path: 'AGENTS.md', text: `a${'ü'.repeat(16_383)}`, truncated: true })
  })

  it('are read once if the user’s config folder is the project', async () => {
    const folder = await folderWith({ 'AGENTS.md': 'mine' })
    expect(readContextFiles({ cwd: folder, config: folder, home: join(folder, 'home') }).files).toHaveLength(
      1,
    )
  })

  it('tell the user’s own from the project’s, and follow links out of the project only for the user’s', async () => {
    const folder = await folderWith({
      'secret.md': 'not for a model',
      'mine.md': 'mine',
      'config/x': '',
      'project/.git/HEAD': '',
      'project/docs/agents.md': 'ours',
      'project/a/CLAUDE.md': 'in place of the link',
    })
    await symlink('../mine.md', join(folder, 'config/AGENTS.md'))
    await symlink('docs/agents.md', join(folder, 'project/AGENTS.md'))
    await symlink('../../secret.md', join(folder, 'project/a/AGENTS.md'))
    const { files, faults } = readContextFiles({
      cwd: join(folder, 'project/a'),
      config: join(folder, 'config'),
      home: join(folder, 'home'),
    })
    expect(faults).toEqual([
      {
        path: join(folder, 'project/a/AGENTS.md'),
        what: expect.stringContaining('link out'),
        isBroken: false,
      },
    ])
    expect(files.map(({ text, isOwn }) => ({ text, isOwn }))).toEqual([
      { text: 'mine', isOwn: true },
      { text: 'ours', isOwn: false },
      { text: 'in place of the link', isOwn: false },
    ])
  })

  it('exclude dangling links', async () => {
    const folder = await folderWith({ 'CLAUDE.md': 'this' })
    await symlink('AGENTS.md', join(folder, 'AGENTS.md'))
    expect(
      readContextFiles({ cwd: folder, config: folder, home: join(folder, 'home') }).files.map(
        ({ text }) => text,
      ),
    ).toEqual(['this'])
  })

  it.each([
    ['with a mark', 'utf16le', '\ufeff'],
    ['without a mark', 'utf16le', ''],
    ['in big endian', 'big', '\ufeff'],
  ])('may be in UTF-16 %s', async (_, encoding, mark) => {
    const folder = await folderWith({})
    const bytes = Buffer.from(`${mark}Use tabs. Grüße\n`, 'utf16le')
    await writeFile(join(folder, 'AGENTS.md'), encoding === 'big' ? bytes.swap16() : bytes)
    const { files, faults } = readContextFiles({ cwd: folder, config: folder, home: join(folder, 'home') })
    expect([files.map(({ text }) => text), faults]).toEqual([['Use tabs. Grüße\n'], []])
  })

  it('in UTF-16 are cut by their size in UTF-8, between characters', async () => {
    const folder = await folderWith({})
    await writeFile(join(folder, 'AGENTS.md'), Buffer.from(`\ufeff${'x'.repeat(40_000)}`, 'utf16le'))
    const { files } = readContextFiles({ cwd: folder, config: folder, home: join(folder, 'home') })
    expect(files.map(({ text, truncated }) => [text.length, truncated])).toEqual([[32 * 1024 - 1, true]])
  })

  it('that are binary or empty do not hide CLAUDE.md', async () => {
    const folder = await folderWith({
      'CLAUDE.md': 'this',
      'a/CLAUDE.md': 'and this',
      'a/AGENTS.md': '\n',
      '.git/HEAD': '',
    })
    await writeFile(join(folder, 'AGENTS.md'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0]))
    const { files, faults } = readContextFiles({
      cwd: join(folder, 'a'),
      config: join(folder, 'none'),
      home: join(folder, 'none'),
    })
    expect(files.map(({ text }) => text)).toEqual(['this', 'and this'])
    const path = join(folder, 'AGENTS.md')
    expect(faults).toEqual([{ path, what: 'is skipped: it is binary', isBroken: true }])
  })

  it('that are cut or have no room are named', async () => {
    const folder = await folderWith({
      '.git/HEAD': '',
      'AGENTS.md': 'far',
      'a/AGENTS.md': 'x'.repeat(20_000),
      'a/b/AGENTS.md': 'y'.repeat(20_000),
    })
    const limit = 'the limit for instructions is 32 KiB in all'
    expect(
      readContextFiles({ cwd: join(folder, 'a/b'), config: join(folder, 'none'), home: join(folder, 'none') })
        .faults,
    ).toEqual([
      { path: join(folder, 'a/AGENTS.md'), what: `is cut after 12768 bytes: ${limit}`, isBroken: false },
      {
        path: join(folder, 'AGENTS.md'),
        what: `is skipped: ${limit}, and nearer files fill it`,
        isBroken: false,
      },
    ])
  })

  it.skipIf(process.getuid?.() === 0)('are left out and named if unreadable', async () => {
    const folder = await folderWith({ 'AGENTS.md': 'secret', 'CLAUDE.md': 'this' })
    await chmod(join(folder, 'AGENTS.md'), 0)
    const { files, faults } = readContextFiles({ cwd: folder, config: folder, home: join(folder, 'home') })
    expect(files.map(({ text }) => text)).toEqual(['this'])
    expect(faults).toEqual([
      {
        path: join(folder, 'AGENTS.md'),
        what: expect.stringContaining('is skipped: EACCES'),
        isBroken: true,
      },
    ])
  })
})
