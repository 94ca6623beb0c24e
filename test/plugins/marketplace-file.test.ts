import { expect, it } from 'vitest'
import { readMarketplace } from '../../src/plugins/marketplace-file.ts'
import { folderWith } from '../support/folders/folder.ts'

const list = {
  $schema: 'https://example.org/marketplace.schema.json',
  name: 'acme tools',
  owner: { name: 'Acme', email: 'tools@example.org' },
  metadata: { description: 'Tools', pluginRoot: './plugins' },
  plugins: [
    { name: 'a', source: 'a', description: 'First', version: '1.0.0', category: 'x', keywords: ['k'] },
    { name: 'b', source: './', strict: false, skills: ['./skills/one'] },
    { name: 'c', source: { source: 'pip', package: 'c' } },
    { name: 'd', source: '../../outside' },
    { name: '../e', source: './e' },
    { name: 'a', source: './again' },
    'text',
  ],
}

it('entries are read, and broken ones cost only themselves', async () => {
  const root = await folderWith({ '.claude-plugin/marketplace.json': `\uFEFF${JSON.stringify(list)}` })
  expect(readMarketplace(root)).toEqual({
    type: 'ok',
    value: {
      name: 'acme-tools',
      entries: [
        { name: 'a', source: { type: 'inside', path: 'plugins/a' }, description: 'First', version: '1.0.0' },
        {
          name: 'b',
          source: { type: 'inside', path: '' },
          components: { skills: ['./skills/one'], strict: false },
        },
      ],
      faults: [
        'c: a source of the kind "pip" is not supported',
        'd: the path "../../outside" leads out',
        '"../e" is not a name',
        'a is listed twice: the first counts',
        'an entry is no object',
      ],
    },
  })
})

it('the places of other agents are read too', async () => {
  const document = { name: 'm', plugins: [{ name: 'a', source: { source: 'local', path: './p/a' } }] }
  const root = await folderWith({ '.agents/plugins/marketplace.json': JSON.stringify(document) })
  expect(readMarketplace(root)).toMatchObject({ type: 'ok', value: { name: 'm', entries: [{ name: 'a' }] } })
})

it.each([
  [{}, 'there is no .claude-plugin/marketplace.json'],
  [{ '.claude-plugin/marketplace.json': '{' }, '.claude-plugin/marketplace.json is not valid JSON'],
  [
    { '.claude-plugin/marketplace.json': '{"name":"x"}' },
    '.claude-plugin/marketplace.json has no list of plugins',
  ],
  [
    { '.claude-plugin/marketplace.json': '{"name":"../x","plugins":[]}' },
    '.claude-plugin/marketplace.json: "../x" is not a name',
  ],
])('a folder with %j is refused', async (files: Readonly<Record<string, string>>, reason) => {
  expect(readMarketplace(await folderWith(files))).toEqual({ type: 'refused', reason })
})
