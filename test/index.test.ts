import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('exports every file of the root, and nothing else', async () => {
  const root = new URL('../src/', import.meta.url)
  const names = (await readdir(root)).filter((name) => /(?<!\.d)\.ts$/.test(name) && name !== 'index.ts')
  const lines = names.sort().map((name) => `export * from './${name}'\n`)
  expect(await readFile(new URL('index.ts', root), 'utf8')).toBe(lines.join(''))
})
