import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtinServers, type ServerRow } from '../../src/config/models/servers.ts'
import { readSettings } from '../../src/config/settings.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { folderWith } from '../support/folders/folder.ts'

const path = (name: string) => join(import.meta.dirname, '../../docs', name)
const read = (name: string) => readFileSync(path(name), 'utf8')

/** Matches the lines of each table after its head. */
const serverRows = /(?<=\| name \| speaks \|.*\n\| --- .*\n)(\|.*\n)*/
const keyRows = /(?<=\| name \| key \|.*\n\| --- .*\n)(\|.*\n)*/

/** Compares a table of the manual, or rewrites it with `UPDATE=1`. */
function expectTable(page: string, rows: RegExp, table: string): void {
  if (process.env['UPDATE'] === '1')
    writeFileSync(
      path(page),
      read(page).replace(rows, () => table),
    )
  expect(rows.exec(read(page))?.[0]).toBe(table)
}

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

/** Returns the table of key variables in two columns, the servers without one at its end. */
function keyTable(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const keyed = builtinServers.flatMap(({ name, apiKeyEnv, apiKeyAliases = [] }) =>
    apiKeyEnv === undefined ? [] : [`${code([name])} | ${code([apiKeyEnv, ...apiKeyAliases])}`],
  )
  const keyless = builtinServers.filter(({ apiKeyEnv }) => apiKeyEnv === undefined).map(({ name }) => name)
  const cells = [...keyed, `${code(keyless)} | none`]
  const half = Math.ceil(cells.length / 2)
  const [left, right] = [cells.slice(0, half), cells.slice(half)]
  return left.map((cell, i) => `| ${cell} | ${right[i] ?? ' | '} |\n`).join('')
}

describe('the manual', () => {
  it('lists every server with the program’s values', () =>
    expectTable('providers.md', serverRows, builtinServers.map(row).join('')))

  it('lists the key variable of every server', () => expectTable('configuration.md', keyRows, keyTable()))

  it.each(['configuration.md', 'providers.md', 'permissions.md', 'serve.md', 'tasks.md', 'memory.md'])(
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
