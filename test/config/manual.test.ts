import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../../src/config/schema.ts'
import { builtinServers, type ServerRow } from '../../src/config/servers.ts'
import { readSettings } from '../../src/config/settings.ts'
import { folderWith } from '../support/folder.ts'

const path = (name: string) => join(import.meta.dirname, '../../docs', name)
const read = (name: string) => readFileSync(path(name), 'utf8')

/** Returns the lines of a table after its head. */
const rows = /(?<=\| name \| speaks \|.*\n\| --- .*\n)(\|.*\n)*/

function row({ name, dialect, baseUrl, otherBaseUrls = [], defaultModel, quirks = {} }: ServerRow): string {
  const settings = Object.entries(quirks).map(([quirk, value]) => {
    const words = quirk.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return `\`${words}: ${JSON.stringify(value)}\``
  })
  const cells = [
    `\`${name}\``,
    `\`${dialect}\``,
    baseUrl === undefined ? 'your own' : [baseUrl, ...otherBaseUrls].join(' or '),
    defaultModel ?? '',
    settings.join(', '),
  ]
  return `| ${cells.join(' | ')} |\n`
}

describe('the manual', () => {
  it('lists every server with the program’s values', () => {
    const table = builtinServers.map(row).join('')
    if (process.env['UPDATE'] === '1')
      writeFileSync(path('providers.md'), read('providers.md').replace(rows, table))
    expect(rows.exec(read('providers.md'))?.[0]).toBe(table)
  })

  it('lists the key variable of every server', () => {
    const manual = read('configuration.md')
    for (const { name, apiKeyEnv, apiKeyAliases = [] } of builtinServers) {
      const keys = [apiKeyEnv, ...apiKeyAliases].flatMap((key) => (key === undefined ? [] : `\`${key}\``))
      const cells = keys.length > 0 ? `| \`${name}\` | ${keys.join(', ')} |` : `\`${name}\``
      expect(manual).toContain(cells)
    }
  })

  it.each(['configuration.md', 'providers.md', 'permissions.md'])(
    '%s has valid settings as examples',
    async (name) => {
      const examples = Array.from(read(name).matchAll(/```jsonc\n([\s\S]*?)```/g), ([, code = '']) => code)
      expect(examples).not.toEqual([])
      for (const example of examples) {
        const folder = await folderWith({ 'config.json': example })
        await readSettings(join(folder, 'config.json'))
      }
    },
  )

  it.each(['configuration.md', 'providers.md'])('%s lists every quirk', (name) => {
    const written = Array.from(read(name).matchAll(/"(\w+)": [^\n`]*/g), ([, word = '']) => word)
    const server = settingsSchema.shape.providers.unwrap().valueType
    const quirks = Object.keys(server.shape.quirks.unwrap().shape)
    expect(quirks.filter((quirk) => !written.includes(quirk))).toEqual([])
  })

  it('is short', () => expect(read('providers.md').split('\n').length).toBeLessThanOrEqual(150))
})
