import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEditPrograms } from '../../../src/config/programs/language-entries.ts'
import { findProjectPrograms, programLines } from '../../../src/config/programs/project-programs.ts'
import { folderWith } from '../../support/folders/folder.ts'

const named = {
  lsp: { zig: { command: ['zls', 'a b'], extensions: ['.zig'], language_id: 'zig' }, go: { disabled: true } },
  formatters: { '.ts': ['prettier', '--stdin-filepath', '{file}'] },
}

it('reads languages and formatters', () => {
  expect(readEditPrograms(named)).toEqual({
    languages: [
      { name: 'zig', command: ['zls', 'a b'], extensions: ['.zig'], languageId: 'zig' },
      { name: 'go', isDisabled: true },
    ],
    formatters: [{ extension: '.ts', command: ['prettier', '--stdin-filepath', '{file}'] }],
    faults: [],
  })
  expect(readEditPrograms({ lsp: false })).toEqual({ languages: false, formatters: [], faults: [] })
  expect(readEditPrograms({})).toEqual({ languages: [], formatters: [], faults: [] })
})

it('a broken entry costs only itself, and is named', () => {
  const broken = {
    lsp: { 'a\nb': {}, one: 3, two: { command: 'zls' }, three: { extensions: ['zig'] }, go: {} },
    formatters: { ts: ['x'], '.js': 'x', '.py': [] },
  }
  const { languages, formatters, faults } = readEditPrograms(broken)
  expect(languages).toEqual([{ name: 'go' }])
  expect(formatters).toEqual([])
  expect(faults).toHaveLength(7)
  expect(faults[2]).toBe('lsp."two": command: expected a list of words')
})

it('those of a project count once they are approved as they are', async () => {
  const root = await folderWith({ '.pipe/config.json': JSON.stringify({ model: 'a/b', ...named }) })
  const find = (approved?: string) =>
    findProjectPrograms({
      config: '/nowhere',
      trust: { root, approved: (kind, hash) => kind === 'programs' && hash === approved },
    })
  const [file] = await find()
  expect(file?.isApproved).toBe(false)
  expect(file && programLines(file)).toEqual([
    `language server zig: zls "a b" (${file?.path})`,
    `language server go: off (${file?.path})`,
    `formatter .ts: prettier --stdin-filepath {file} (${file?.path})`,
  ])
  expect((await find(file?.hash))[0]?.isApproved).toBe(true)
  const other = { ...named, formatters: { '.ts': ['evil'] } }
  await writeFile(join(root, '.pipe/config.json'), JSON.stringify(other))
  expect((await find(file?.hash))[0]?.isApproved).toBe(false)
})

it('a file without them, or one that cannot be read, brings none', async () => {
  const root = await folderWith({ '.pipe/config.json': '{"model":"a/b"}', '.pipe/config.local.json': '{' })
  expect(await findProjectPrograms({ config: '/nowhere', trust: { root, approved: () => true } })).toEqual([])
})
