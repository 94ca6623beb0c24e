import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isProject, openFolderTrust, trustRoot } from '../../../src/config/trust/folder-trust.ts'
import { contentHash, forgetTrust, readTrustFile, recordTrust } from '../../../src/config/trust/trust.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'
import { holder } from '../holder.ts'

const at = '2026-02-18T12:00:00.000Z'
const kind = 'permissions.allow'
const [one, other] = [contentHash(['Bash(ls)']), contentHash(['Bash'])]

describe('stored decisions on folders', () => {
  it('are empty at first', async () => {
    expect(await readTrustFile(join(await folderWith(), 'none'))).toEqual({
      folders: new Map(),
      warnings: [],
    })
  })

  it('keep the date, in a file only for its owner', async () => {
    const config = join(await folderWith(), 'config/pipe')
    await recordTrust(
      config,
      '/p',
      { trusted: true, at, contents: [{ kind, hash: one, approved: true }] },
      holder,
    )
    const path = join(config, 'trust.json')
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      version: 1,
      folders: { '/p': { trusted: true, at, contents: [{ kind, hash: one, approved: true }] } },
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(config)).mode & 0o777).toBe(0o700)
    expect(await readdir(config)).toEqual(['trust.json'])
  })

  it('accumulate; a later decision replaces only an earlier one on the same content', async () => {
    const config = await folderWith()
    const record = (hash: string, approved: boolean) =>
      recordTrust(config, '/p', { trusted: true, at, contents: [{ kind, hash, approved }] }, holder)
    await record(one, false)
    await record(other, true)
    await record(one, true)
    await recordTrust(config, '/__proto__', { trusted: false, at, contents: [] }, holder)
    const contents = [
      { kind, hash: other, approved: true },
      { kind, hash: one, approved: true },
    ]
    expect([...(await readTrustFile(config)).folders]).toEqual([
      ['/p', { trusted: true, at, contents }],
      ['/__proto__', { trusted: false, at, contents: [] }],
    ])
    await forgetTrust(config, '/p', holder)
    expect([...(await readTrustFile(config)).folders.keys()]).toEqual(['/__proto__'])
  })

  it('make a file that others can write private, with a warning', async () => {
    const config = await folderWith({ 'trust.json': '{"version":1,"folders":{}}' })
    const path = join(config, 'trust.json')
    await chmod(path, 0o666)
    expect((await readTrustFile(config)).warnings).toEqual([
      `${path} was open to other users (mode 666); only you can access it now`,
    ])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['{"version":1', /trust\.json:1:\d+: not valid JSON/],
    ['[]', /trust\.json is damaged/],
    ['{"version":1,"folders":{"/p":true}}', /trust\.json is damaged/],
    ['{"version":1,"folders":{"/p":{"trusted":"yes","at":"","contents":[]}}}', /trust\.json is damaged/],
    [
      '{"version":1,"folders":{"/p":{"trusted":true,"at":"","contents":[{"kind":"x"}]}}}',
      /trust\.json is damaged/,
    ],
    ['{"version":2,"folders":{}}', /trust\.json has version 2, which needs a newer pipe/],
  ])('trust nothing if the file is invalid, and do not overwrite it: %s', async (text, message) => {
    const config = await folderWith()
    const path = join(config, 'trust.json')
    await writeFile(path, text, { mode: 0o600 })
    for (const act of [
      () => readTrustFile(config),
      () => recordTrust(config, '/p', { trusted: true, at, contents: [] }, holder),
    ]) {
      expect(await thrown(act)).toMatchObject({ code: 'config', message: expect.stringMatching(message) })
    }
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

describe('a folder', () => {
  /** Opens the trust of a subfolder of a project with this decision. */
  async function open(trusted: boolean | undefined, forThisRun = false) {
    const home = await folderWith({ 'project/.git/HEAD': '', 'project/a/x': '' })
    const config = join(home, '.config/pipe')
    const root = join(home, 'project')
    const contents = [{ kind, hash: one, approved: true } as const]
    if (trusted !== undefined) await recordTrust(config, root, { trusted, at, contents }, holder)
    const trust = await openFolderTrust({ config, cwd: join(root, 'a'), home, forThisRun })
    expect(trust.folders).toEqual([join(root, 'a'), root])
    return {
      atRoot: trust.root === root,
      trusted: trust.trusted,
      approved: [one, other].map((hash) => trust.approved(kind, hash)),
    }
  }

  it.each([
    ['without a decision', undefined, false, undefined, [undefined, undefined]],
    ['with trust', true, false, true, [true, undefined]],
    ['without trust approves nothing', false, false, false, [false, false]],
    ['trusted for this run only approves no unseen content', undefined, true, true, [undefined, undefined]],
    ['distrusted before can be trusted for this run', false, true, true, [true, undefined]],
  ])('%s', async (_, said, forThisRun, trusted, approved) => {
    expect(await open(said, forThisRun)).toEqual({ atRoot: true, trusted, approved })
  })

  it.each([
    ['the repository', 'p/a/b', 'p'],
    ['the nearer of a repository and a folder with .pipe', 'p/inner/a', 'p/inner'],
    ['a worktree, where .git is a file', 'tree/a', 'tree'],
    ['itself without either', 'plain/a', 'plain/a'],
  ])('is trusted with %s', async (_, cwd, root) => {
    const folder = await folderWith({
      'p/.git/HEAD': '',
      'p/a/b/x': '',
      'p/inner/.pipe/config.json': '',
      'p/inner/a/x': '',
      'tree/.git': 'gitdir: /x',
      'tree/a/x': '',
      'plain/a/x': '',
    })
    expect(trustRoot(join(folder, cwd), join(folder, 'home'))).toBe(join(folder, root))
  })

  it('below a home folder that is a repository is trusted separately, even if the home is a link', async () => {
    const folder = await folderWith({ 'home/.git/HEAD': '', 'home/downloads/evil/x': '', '.git/HEAD': '' })
    await symlink('home', join(folder, 'link'))
    const evil = join(folder, 'home/downloads/evil')
    expect(trustRoot(evil, join(folder, 'home'))).toBe(evil)
    expect(trustRoot(evil, join(folder, 'link'))).toBe(evil)
    expect(trustRoot(join(folder, 'home'), join(folder, 'home'))).toBe(join(folder, 'home'))
  })

  it('is a project only if trust affects its contents', async () => {
    const folder = await folderWith({ 'b/.git': '', 'c/.mcp.json': '', 'd/AGENTS.md': '' })
    await mkdir(join(folder, 'a/.pipe'), { recursive: true })
    expect(['a', 'b', 'c', 'd', 'none'].map((name) => isProject(join(folder, name)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})
