import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { serveRepositories } from '../../support/plugins/git-server.ts'
import { repositoryWith } from '../../support/plugins/repository.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { skillFile } from './plugin-setup.ts'

const place = '.claude-plugin/marketplace.json'

const add = (world: World, name: string) => world.pipe(['plugin', 'add', `${name}@forms`, '--yes'])

it('a marketplace over http, with each form of a source that public ones use', async () => {
  const world = await openWorld()
  const other = await repositoryWith({ 'skills/one/SKILL.md': skillFile('one', 'One') })
  const first = other.git('rev-parse', 'HEAD')
  other.git('tag', 'v1')
  other.commit({
    'skills/one/SKILL.md': skillFile('one', 'Two'),
    'deep/p/skills/in/SKILL.md': skillFile('in', 'In'),
  })
  const far = { url: `${await serveRepositories(other.folder)}/.git` }
  const market = await repositoryWith({
    [place]: JSON.stringify({
      name: 'forms',
      owner: { name: 'Ann' },
      metadata: { pluginRoot: './plugins' },
      forceRemoveDeletedPlugins: true,
      renames: { old: 'near' },
      plugins: [
        { name: 'near', source: 'near' },
        { name: 'dotted', source: './plugins/near' },
        { name: 'newest', source: { source: 'url', ...far } },
        { name: 'tagged', source: { source: 'url', ...far, ref: 'v1' } },
        { name: 'pinned', source: { source: 'url', ...far, sha: first } },
        { name: 'both', source: { source: 'url', ...far, ref: 'main', sha: first } },
        { name: 'deep', source: { source: 'git-subdir', ...far, path: 'deep/p' } },
        { name: 'gone', source: { source: 'git-subdir', ...far, path: 'deep/none' } },
        {
          name: 'whole',
          source: './',
          strict: false,
          version: '3.1.0',
          skills: ['./shared/a'],
          mcpServers: { s: { command: 'serve', args: ['x'] } },
          lspServers: { ts: { command: 'tsserver' } },
          relevance: { files: ['*.ts'] },
        },
      ],
    }),
    'plugins/near/skills/near/SKILL.md': skillFile('near', 'Near'),
    'shared/a/SKILL.md': skillFile('a', 'A'),
    'shared/b/SKILL.md': skillFile('b', 'B'),
    'skills/usual/SKILL.md': skillFile('usual', 'Usual'),
  })
  const address = `${await serveRepositories(market.folder)}/.git`
  expectRun(await world.pipe(['plugin', 'marketplace', 'add', `${address}#main`]), {
    stdout: 'added: the marketplace forms with 9 plugins\n',
    stderr:
      'pipe: forms: no effect here: the field "forceRemoveDeletedPlugins", the field "renames"\n' +
      'pipe: forms: no effect here, in entries: the field "relevance"\n',
  })
  const skill = async (name: string) => (await world.pipe(['skills', 'show', name])).stdout
  for (const [name, text] of [
    ['near:near', 'Near'],
    ['dotted:near', 'Near'],
    ['newest:one', 'Two'],
    ['tagged:one', 'One'],
    ['pinned:one', 'One'],
    ['both:one', 'One'],
    ['deep:in', 'In'],
  ] as const) {
    expect((await add(world, name.split(':')[0] ?? '')).code).toBe(0)
    expect(await skill(name)).toContain(text)
  }
  const gone = await add(world, 'gone')
  expect([gone.code, gone.stderr]).toEqual([52, expect.stringContaining('there is no folder "deep/none"')])
  const whole = await add(world, 'whole')
  expect(whole.stderr).toContain('skill whole:a: does a')
  expect(whole.stderr).toContain('MCP server plugin:whole:s: serve x')
  expect(whole.stderr).toContain('note: no effect here: language servers')
  expect(whole.stderr).not.toMatch(/whole:(b|usual)/)
  const { stdout } = await world.pipe(['plugin', 'list'])
  expect(stdout).toMatch(/whole +3\.1\.0/)
})

it('the file of a marketplace on this machine stands for its folder, and one on the web is refused with a way out', async () => {
  const world = await openWorld()
  const folder = await folderWith({
    [place]: JSON.stringify({ name: 'forms', plugins: [{ name: 'near', source: './near' }] }),
    'near/skills/near/SKILL.md': skillFile('near', 'Near'),
  })
  expectRun(await world.pipe(['plugin', 'marketplace', 'add', join(folder, place)]), {
    stdout: 'added: the marketplace forms with 1 plugins\n',
  })
  expect((await add(world, 'near')).code).toBe(0)
  const web = await world.pipe(['plugin', 'marketplace', 'add', 'https://example.org/marketplace.json'])
  expect([web.code, web.stderr]).toEqual([2, expect.stringContaining('name the repository that contains it')])
})

it('a repository that cannot be reached is named with its address', async () => {
  const world = await openWorld()
  const run = await world.pipe(['plugin', 'add', 'http://127.0.0.1:1/acme/tools.git', '--yes'])
  expect(run.code).not.toBe(0)
  expect(run.stderr).toContain("git fetch: fatal: unable to access 'http://127.0.0.1:1/acme/tools.git/'")
  expect(run.stderr.split('\n').length).toBe(2)
})
