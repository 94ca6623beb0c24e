import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { placesOf, readEnabled } from '../../src/plugins/enabled-plugins.ts'
import { type FetchContent, PluginStore } from '../../src/plugins/plugin-store.ts'
import { hasPluginRecord } from '../../src/plugins/record-place.ts'
import { holder } from '../config/holder.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

const files = { 'skills/s/SKILL.md': '---\nname: s\n---\nText', 'run.sh': '#!/bin/sh\n', '.git/config': 'x' }

async function openStore(fetch: FetchContent = async () => ({})) {
  const folder = join(await folderWith({}), 'plugins')
  return new PluginStore({ folder, fetch, lock: holder })
}

/** Adds a plugin from a folder. */
async function added(store: PluginStore, path: string, name = 'p') {
  const source = { type: 'folder', path } as const
  const staged = await store.stage(source)
  const kept = await store.keep(staged, { name, source, isEnabled: true })
  await staged.discard()
  return { kept, staged, ...placesOf(store.folder, kept) }
}

const names = (store: PluginStore) => readEnabled(store.folder).plugins.map(({ name }) => name)

it('a plugin is copied, so what happens to its source changes nothing', async () => {
  const from = await folderWith(files)
  const store = await openStore()
  expect(hasPluginRecord(store.folder)).toBe(false)
  const { root, data } = await added(store, from)
  writeFileSync(join(from, 'run.sh'), 'evil')
  expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('#!/bin/sh\n')
  expect(readdirSync(root).sort()).toEqual(['run.sh', 'skills'])
  expect(readEnabled(store.folder)).toEqual({
    plugins: [
      {
        name: 'p',
        root,
        data,
        skills: [join(root, 'skills')],
        commands: [],
        agents: [],
        hooks: [],
        servers: [],
      },
    ],
    faults: [],
  })
  expect(statSync(join(store.folder, 'plugins.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(store.folder).sort()).toEqual(['data', 'files', 'plugins.json'])
})

it('files that were changed, added, removed or made programs turn a plugin off, and only it', async () => {
  const store = await openStore()
  const changes: Readonly<Record<string, (root: string) => void>> = {
    changed: (root) => writeFileSync(join(root, 'run.sh'), '#!/bin/zh\n'),
    added: (root) => writeFileSync(join(root, 'new.md'), ''),
    program: (root) => chmodSync(join(root, 'skills/s/SKILL.md'), 0o700),
    link: (root) => symlinkSync('/etc/passwd', join(root, 'link')),
  }
  await added(store, await folderWith(files), 'other')
  for (const [name, change] of Object.entries(changes)) {
    const { root } = await added(store, await folderWith(files), name)
    change(root)
  }
  expect(names(store)).toEqual(['other'])
  const reason = 'its files have changed since you approved them'
  expect(readEnabled(store.folder).faults).toEqual(Object.keys(changes).map((name) => ({ name, reason })))
})

it('a file that was only touched or copied is read, and still the same', async () => {
  const store = await openStore()
  const { root, stamps } = await added(store, await folderWith(files))
  utimesSync(join(root, 'run.sh'), new Date(0), new Date(0))
  expect(names(store)).toEqual(['p'])
  writeFileSync(stamps, 'broken')
  expect(names(store)).toEqual(['p'])
  const copy = join(await folderWith({}), 'copy')
  await cp(store.folder, copy, { recursive: true })
  expect(readEnabled(copy).plugins).toHaveLength(1)
})

it('a change that keeps size and time of a file is seen', async () => {
  const store = await openStore()
  const { root } = await added(store, await folderWith(files))
  const path = join(root, 'run.sh')
  const { atime, mtime } = statSync(path)
  writeFileSync(path, '#!/bin/XX\n')
  utimesSync(path, atime, mtime)
  expect(names(store)).toEqual([])
})

it('links that lead out, git folders and names that hide characters are left out', async () => {
  const from = await folderWith({ 'a/x.md': 'x', 'b\u001b[2J.md': 'x', 'a/.GIT/hooks/x': 'x' })
  symlinkSync('/etc/passwd', join(from, 'absolute'))
  symlinkSync('../../..', join(from, 'up'))
  symlinkSync('../a/x.md', join(from, 'a/inside'))
  const store = await openStore()
  const { staged, root } = await added(store, from)
  expect(staged.notes).toEqual([
    '"absolute" is skipped: it is a link that leads out',
    String.raw`"b\u001b[2J.md" is skipped: invisible characters in its name`,
    '"up" is skipped: it is a link that leads out',
  ])
  expect(readdirSync(join(root, 'a')).sort()).toEqual(['inside', 'x.md'])
  expect(readFileSync(join(root, 'a/inside'), 'utf8')).toBe('x')
  expect(names(store)).toEqual(['p'])
})

it('a giant file is refused and leaves nothing behind', async () => {
  const from = await folderWith({ 'big.bin': new Uint8Array(26 * 1024 * 1024) })
  const store = await openStore()
  await expect(store.stage({ type: 'folder', path: from })).rejects.toThrow('more than 25 MiB')
  expect(readdirSync(store.folder)).toEqual([])
})

it('a repository cannot lead out by its folder, and what it leaves out is no part of it', async () => {
  const store = await openStore(async (_, into) => {
    await cp(await folderWith({ 'p/a.md': 'a' }), into, { recursive: true })
    symlinkSync('/etc', join(into, 'out'))
    return { commit: 'c0ffee' }
  })
  const source = { type: 'git', url: 'https://example.org/r' } as const
  const staged = await store.stage({ ...source, path: 'p' })
  expect([staged.commit, staged.entries.map(({ path }) => path)]).toEqual(['c0ffee', ['a.md']])
  await staged.discard()
  for (const path of ['out', 'out/ssl', 'none', 'p/a.md'])
    await expect(store.stage({ ...source, path })).rejects.toThrow('there is no folder')
  expect(readdirSync(store.folder)).toEqual([])
})

it('an update swaps the files and removes the old ones', async () => {
  const store = await openStore()
  const old = await added(store, await folderWith(files))
  const other = await added(store, await folderWith({ ...files, 'run.sh': 'new' }))
  expect(other.root).not.toBe(old.root)
  expect(existsSync(old.root)).toBe(false)
  expect(readdirSync(join(store.folder, 'files'))).toHaveLength(2)
  expect(names(store)).toEqual(['p'])
})

it('a plugin that is off stays, and one that is removed leaves nothing', async () => {
  const store = await openStore()
  const { root, data } = await added(store, await folderWith(files))
  await store.enable('p', false)
  expect([names(store), existsSync(root)]).toEqual([[], true])
  await store.enable('p', true)
  expect(names(store)).toEqual(['p'])
  writeFileSync(join(data, 'state'), 'x')
  await store.remove('p')
  expect(store.read().plugins.size).toBe(0)
  expect([readdirSync(join(store.folder, 'files')), existsSync(data)]).toEqual([[], false])
})

it('what a marketplace says about a plugin belongs to what was approved', async () => {
  const store = await openStore()
  const source = { type: 'folder', path: await folderWith(files) } as const
  const staged = await store.stage(source)
  const components = { mcpServers: { a: { command: 'a' } }, strict: true }
  await store.keep(staged, { name: 'p', source, isEnabled: true, components })
  await staged.discard()
  expect(readEnabled(store.folder).plugins[0]?.servers.map(({ name }) => name)).toEqual(['a'])
  const path = join(store.folder, 'plugins.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"command": "a"', '"command": "b"'))
  expect(readEnabled(store.folder).faults).toHaveLength(1)
})

it.each([
  ['{', 'is damaged'],
  ['[]', 'is damaged'],
  ['{"version": 2}', 'needs a newer pipe'],
  ['{"version": 1, "plugins": {"../x": {}}}', 'is damaged'],
  [
    '{"version": 1, "plugins": {"x": {"source": {"type": "git", "url": "ext::x"}, "enabled": true, "hash": "0"}}}',
    'is damaged',
  ],
  [
    '{"version": 1, "marketplaces": {"x": {"source": {"type": "folder", "path": "/a"}, "folder": "../x"}}}',
    'is damaged',
  ],
])('the record %s is refused', async (text, reason) => {
  const folder = await folderWith({ 'plugins.json': text })
  expect(await thrown(() => readEnabled(folder))).toMatchObject({
    code: 'config',
    message: expect.stringContaining(reason),
  })
})

it('a marketplace is copied, updated and removed', async () => {
  const store = await openStore()
  const source = { type: 'folder', path: await folderWith({ 'a.txt': '1' }) } as const
  for (const text of ['1', '2']) {
    writeFileSync(join(source.path, 'a.txt'), text)
    const staged = await store.stage(source)
    await store.keepMarketplace(staged, 'm')
    await staged.discard()
  }
  const known = store.read().marketplaces.get('m')
  expect(readFileSync(join(store.marketplaceFolder({ folder: known?.folder ?? '' }), 'a.txt'), 'utf8')).toBe(
    '2',
  )
  expect(readdirSync(join(store.folder, 'marketplaces'))).toHaveLength(1)
  await store.removeMarketplace('m')
  expect([store.read().marketplaces.size, readdirSync(join(store.folder, 'marketplaces'))]).toEqual([0, []])
})

it('a copy that changes between what was shown and the yes does not count', async () => {
  const store = await openStore()
  const source = { type: 'folder', path: await folderWith(files) } as const
  const staged = await store.stage(source)
  writeFileSync(join(staged.root, 'run.sh'), '#!/bin/sh\necho evil\n')
  await store.keep(staged, { name: 'p', source, isEnabled: true })
  expect(readEnabled(store.folder)).toEqual({
    plugins: [],
    faults: [{ name: 'p', reason: 'its files have changed since you approved them' }],
  })
})
