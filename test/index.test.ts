import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('exports exactly the files of the root folder', async () => {
  const root = new URL('../src/', import.meta.url)
  const files = (await readdir(root)).filter((name) => /(?<!\.d)\.ts$/.test(name) && name !== 'index.ts')
  const names = files.map((name) => name.slice(0, -'.ts'.length)).sort()
  const lines = names.map((name) => `export * from './${name}.ts'\n`)
  expect(await readFile(new URL('index.ts', root), 'utf8')).toBe(lines.join(''))
})
