import { expect, it } from 'vitest'
import { languagesOf } from '../../src/lsp/usual-languages.ts'

const named = (entries: Parameters<typeof languagesOf>[0], name: string) =>
  languagesOf(entries).find((one) => one.name === name)

it('knows servers of five languages', () => {
  expect(
    languagesOf([])
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['c', 'go', 'python', 'rust', 'typescript'])
})

it('an entry changes only what it names', () => {
  const usual = named([], 'rust')
  expect(named([{ name: 'rust', initialization: { checkOnSave: true } }], 'rust')).toEqual({
    ...usual,
    initialization: { ...usual?.initialization, checkOnSave: true },
  })
  const other = named(
    [{ name: 'python', command: ['ruff', 'server'], extensions: ['.py', '.ipy'] }],
    'python',
  )
  expect(other?.command).toEqual(['ruff', 'server'])
  expect(other?.languageIds).toEqual({ '.py': 'python', '.ipy': 'python' })
})

it('an entry adds a language, which needs a command and endings, and counts first for them', () => {
  const zig = { name: 'zig', command: ['zls'], extensions: ['.zig', '.c'], languageId: 'zig' }
  expect(languagesOf([zig])[0]).toEqual({
    name: 'zig',
    command: ['zls'],
    languageIds: { '.zig': 'zig', '.c': 'zig' },
  })
  expect(named([{ name: 'zig' }], 'zig')).toBeUndefined()
  expect(named([{ name: 'zig', command: ['zls'] }], 'zig')).toBeUndefined()
})

it('an entry turns a language off', () => {
  expect(named([{ name: 'go', isDisabled: true }], 'go')).toBeUndefined()
  expect(named([{ name: 'zig', isDisabled: true }], 'zig')).toBeUndefined()
})
