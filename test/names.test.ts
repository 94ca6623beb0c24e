import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findRepetitions } from './support/name-families.ts'

it('no exported name and no file name has two meanings', async () => {
  const root = fileURLToPath(new URL('../src/', import.meta.url))
  const names = (await readdir(root, { recursive: true })).filter((name) => /(?<!\.d)\.tsx?$/.test(name))
  const files = names.map(async (name) => [`src/${name}`, await readFile(root + name, 'utf8')] as const)
  const sources = Object.fromEntries(await Promise.all(files))
  expect(Object.keys(sources)).toContain('src/message.ts')
  expect(findRepetitions(sources)).toEqual([])
})

it('names a symbol and a file that two rooms have', () => {
  const sources = {
    'src/git/mark.ts': 'export interface Mark {}\nexport function read(): void {}\n',
    'src/memories/mark.ts': 'export type Mark = string\nfunction read(): void {}\n',
  }
  const files = ['src/git/mark.ts', 'src/memories/mark.ts']
  expect(findRepetitions(sources)).toEqual([
    { name: 'Mark', files },
    { name: 'file:mark', files },
  ])
})

it('lets the members of a family share a name, and finds it twice in one member', () => {
  expect(
    findRepetitions({
      'src/google/wire.ts': 'export function toUsage(): void {}',
      'src/ollama/wire.ts': 'export function toUsage(): void {}',
    }),
  ).toEqual([])
  const twice = findRepetitions({
    'src/ink/a.ts': 'export const columns = 1',
    'src/ink/rows/b.ts': 'export const columns = 2',
  })
  expect(twice.map(({ name }) => name)).toEqual(['columns'])
})
