import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import { pluginRootVariable, pluginVariables } from '../../src/machine/plugin-folders.ts'
import { readPlugin } from '../../src/plugins/plugin-content.ts'
import { folderWith } from '../support/folders/folder.ts'

type Files = Readonly<Record<string, string | object>>

/** Reads a plugin of these files, with its folder written as `ROOT`. */
async function read(files: Files, components?: JsonObject) {
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ])
  const root = await folderWith(Object.fromEntries(texts))
  const result = readPlugin({ root, data: '/data', folderName: 'folder', ...(components && { components }) })
  return JSON.parse(JSON.stringify(result).replaceAll(root, 'ROOT'))
}

async function plugin(files: Files, components?: JsonObject) {
  const result = await read(files, components)
  expect(result.type).toBe('ok')
  return result.value
}

const skill = '---\nname: s\ndescription: Does.\n---\nText'
const manifest = '.claude-plugin/plugin.json'
const bare = {
  name: 'p',
  root: 'ROOT',
  data: '/data',
  skills: [],
  commands: [],
  agents: [],
  hooks: [],
  servers: [],
}
const variables = pluginVariables({ root: 'ROOT', data: '/data' })
const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'x' }] }] }

it('the usual folders are found', async () => {
  const found = await plugin({
    [manifest]: { name: 'p', version: '1.2.0', description: 'Helps.', author: { name: 'Ann' }, keywords: [] },
    'skills/s/SKILL.md': skill,
    'commands/c.md': 'Do it',
    'agents/a.md': '---\nname: a\n---\nText',
    'hooks/hooks.json': { description: 'Checks', hooks },
    '.mcp.json': { mcpServers: { db: { command: 'db', args: [`${pluginRootVariable}/x`] } } },
  })
  expect(found).toEqual({
    plugin: {
      ...bare,
      skills: ['ROOT/skills'],
      commands: ['ROOT/commands'],
      agents: ['ROOT/agents'],
      hooks: [{ path: 'ROOT/hooks/hooks.json', hooks }],
      servers: [
        { name: 'db', path: 'ROOT/.mcp.json', fields: { command: 'db', args: ['ROOT/x'], env: variables } },
      ],
    },
    version: '1.2.0',
    description: 'Helps.',
    options: [],
    dependencies: [],
    notes: [],
  })
})

it('a folder without a manifest is a plugin with the name of the folder', async () => {
  const found = await plugin({ 'skills/s/SKILL.md': skill })
  expect(found.plugin).toEqual({ ...bare, name: 'folder', skills: ['ROOT/skills'] })
})

it('a skill by itself is a plugin', async () => {
  expect((await plugin({ 'SKILL.md': skill, [manifest]: { name: 'p' } })).plugin.skills).toEqual(['ROOT'])
})

it('a manifest of Codex starts its servers in the folder of the plugin', async () => {
  const found = await plugin({
    '.codex-plugin/plugin.json': { name: 'p', mcpServers: './servers.json', skills: './skills/' },
    'skills/s/SKILL.md': skill,
    'servers.json': { s: { command: './run.sh', env: { PORT: 80 } }, t: { command: 'node', cwd: 'sub' } },
  })
  expect(found.plugin.skills).toEqual(['ROOT/skills'])
  expect(found.plugin.servers).toEqual([
    {
      name: 's',
      path: 'ROOT/servers.json',
      fields: { command: 'ROOT/run.sh', env: { ...variables, PORT: 80 } },
      folder: 'ROOT',
    },
    {
      name: 't',
      path: 'ROOT/servers.json',
      fields: { command: 'node', cwd: 'ROOT/sub', env: variables },
      folder: 'ROOT',
    },
  ])
})

it('servers have no wrapper, or stand in the manifest, or are remote', async () => {
  const found = await plugin({
    [manifest]: { name: 'p', mcpServers: { inline: { type: 'http', url: 'https://example.org/mcp' } } },
    '.mcp.json': { bare: { command: 'x' } },
  })
  expect(found.plugin.servers.map(({ name }: { name: string }) => name)).toEqual(['bare', 'inline'])
  expect(found.plugin.servers[1].fields).toEqual({ type: 'http', url: 'https://example.org/mcp' })
})

it('several files of servers are read, a name once', async () => {
  const found = await plugin({
    [manifest]: { name: 'p', mcpServers: ['./one.json', './two.json'] },
    'one.json': { mcpServers: { a: { command: '1' } } },
    'two.json': { a: { command: '2' }, b: { command: '3' } },
  })
  expect(found.plugin.servers.map(({ path }: { path: string }) => path)).toEqual([
    'ROOT/one.json',
    'ROOT/two.json',
  ])
})

it('named commands and agents replace the usual folders, named skills add to theirs', async () => {
  const found = await plugin({
    [manifest]: { name: 'p', commands: ['./c/one.md', './more'], agents: './a/', skills: ['./other'] },
    'c/one.md': 'One',
    'more/two.md': 'Two',
    'commands/no.md': 'No',
    'a/x.md': 'x',
    'skills/s/SKILL.md': skill,
    'other/t/SKILL.md': skill,
  })
  expect(found.plugin).toEqual({
    ...bare,
    skills: ['ROOT/skills', 'ROOT/other'],
    commands: ['ROOT/c/one.md', 'ROOT/more'],
    agents: ['ROOT/a'],
  })
})

it('hooks stand in the manifest, in a named file without a wrapper, or in the usual file named again', async () => {
  expect((await plugin({ [manifest]: { name: 'p', hooks } })).plugin.hooks).toEqual([
    { path: 'ROOT/plugin.json', hooks },
  ])
  const named = await plugin({ [manifest]: { name: 'p', hooks: './h.json' }, 'h.json': hooks })
  expect(named.plugin.hooks).toEqual([{ path: 'ROOT/h.json', hooks }])
  const again = await plugin({
    [manifest]: { name: 'p', hooks: './hooks/hooks.json' },
    'hooks/hooks.json': { hooks },
  })
  expect(again.plugin.hooks).toEqual([{ path: 'ROOT/hooks/hooks.json', hooks }])
  const several = await plugin({ [manifest]: { name: 'p', hooks: [{ hooks }, './h.json'] }, 'h.json': hooks })
  expect(several.plugin.hooks).toHaveLength(2)
})

it('a marketplace that describes the whole plugin chooses among its skills', async () => {
  const files = { 'skills/a/SKILL.md': skill, 'skills/b/SKILL.md': skill, 'commands/c.md': 'c' }
  const chosen = await plugin(files, { strict: false, skills: ['./skills/a'] })
  expect(chosen.plugin).toMatchObject({ skills: ['ROOT/skills/a'], commands: ['ROOT/commands'] })
  const added = await plugin(files, { strict: true, mcpServers: { m: { url: 'https://x' } } })
  expect(added.plugin).toMatchObject({ skills: ['ROOT/skills'], servers: [{ name: 'm' }] })
})

it('what has no effect is named', async () => {
  const found = await plugin({
    [manifest]: {
      name: 'p',
      lspServers: './.lsp.json',
      userConfig: { key: {} },
      dependencies: ['q'],
      outputStyles: './o',
    },
    'settings.json': '{}',
    'bin/tool': 'x',
    '.app.json': '{}',
  })
  expect(found.notes).toEqual([
    'no effect here: output styles',
    'no effect here: language servers',
    'no effect here: connected apps',
    'no effect here: settings',
    'no effect here: programs for the PATH',
  ])
})

it('a broken part costs only itself', async () => {
  const found = await plugin({
    [manifest]: { name: 'p', commands: ['./missing.md', 7], skills: 5, hooks: '../../hooks.json' },
    'skills/s/SKILL.md': skill,
    '.mcp.json': '{ "mcpServers": {',
    'hooks/hooks.json': '[]',
  })
  expect(found.plugin).toEqual({ ...bare, skills: ['ROOT/skills'] })
  expect(found.notes).toEqual([
    'skills takes paths, so what it says is left out',
    'commands takes paths, so what it says is left out',
    'there is no "./missing.md"',
    'the path "../../hooks.json" leads out',
    'ROOT/hooks/hooks.json: expected an object of hooks',
    '.mcp.json is not valid JSON',
  ])
})

it('a server keeps the places of what the user sets, so that no secret stands in its entry', async () => {
  const key = `\${user_config.key}`
  const found = await plugin({
    [manifest]: { name: 'p', userConfig: { key: { sensitive: true } } },
    '.mcp.json': { a: { command: 'x', env: { K: key } } },
  })
  expect(found.plugin.servers).toMatchObject([{ name: 'a', fields: { env: { K: key } } }])
  expect(found.plugin.options).toEqual({ values: {}, secret: ['key'] })
  expect(found.notes).toEqual([])
})

it.each([
  [{ [manifest]: '{' }, '.claude-plugin/plugin.json is not valid JSON'],
  [{ [manifest]: '[]' }, '.claude-plugin/plugin.json holds no object'],
  [{ [manifest]: { name: '../x' } }, '"../x" is not a name'],
  [{ [manifest]: { name: 'a\u001b[2Jb' } }, '"a\\u001b[2Jb" is not a name'],
  [{ [manifest]: { name: 'x'.repeat(65) } }, 'is not a name: it takes 1 to 64 letters'],
  [{ [manifest]: { name: '' } }, 'is not a name'],
])('%j is refused', async (files, reason) => {
  expect(await read(files)).toEqual({ type: 'refused', reason: expect.stringContaining(reason) })
})

it('a name with blanks or dots becomes a plain one', async () => {
  expect((await plugin({ [manifest]: { name: 'My Plugin 2.0' } })).plugin.name).toBe('My-Plugin-2-0')
})

it('links that lead out bring nothing', async () => {
  const outside = await folderWith({ 'SKILL.md': skill, 'plugin.json': '{"name":"evil"}' })
  const root = await folderWith({ 'x.md': 'x' })
  symlinkSync(outside, join(root, 'skills'))
  symlinkSync(outside, join(root, '.claude-plugin'))
  expect(readPlugin({ root, data: '/data' })).toEqual({
    type: 'refused',
    reason: '.claude-plugin/plugin.json leads out',
  })
})
