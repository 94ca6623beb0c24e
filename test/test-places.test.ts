import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { root } from './support/programs/world.ts'
import { checkTestPlaces } from './support/test-places.ts'

const readme = '- `share.test.ts`: `mailbox`, `calls/*`\n'

function check(files: readonly string[], text = readme) {
  return checkTestPlaces({
    files: ['test/agent/share.test.ts', 'src/agent/mailbox.ts', 'src/agent/calls/a.ts', ...files],
    readmes: { 'test/agent/README.md': text },
    hasTypesOnly: (file) => file === 'src/agent/port.ts',
  })
}

it('a source file has a test of its name, or a family, or types only', () => {
  expect(check([])).toEqual([])
  expect(check(['src/agent/b.tsx', 'test/agent/b.slow.test.ts', 'src/agent/port.ts'])).toEqual([])
})

it('another is named, with what to do', () => {
  expect(check(['src/agent/turn/new.ts'])).toEqual([
    'src/agent/turn/new.ts has no test: write test/agent/turn/new.test.ts, or name it in test/agent/README.md beside the test of its family',
  ])
  expect(check(['src/new.ts'])).toEqual([
    'src/new.ts has no test: write test/new.test.ts, or name it in test/README.md beside the test of its family',
  ])
})

it('a line that names what is gone is reported', () => {
  expect(check([], '- `gone.test.ts`: `mailbox`, `calls/*`, `lost`\n')).toEqual([
    'test/agent/README.md names test/agent/gone.test.ts, which does not exist: correct the line',
    'test/agent/README.md names src/agent/lost, which does not exist: take it out',
  ])
})

it('the test of every source file is found', () => {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
  const files = ['src', 'test'].flatMap(below)
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const readmes = files.filter((file) => /^test\/([\w-]+\/)?README\.md$/.test(file))
  const wrong = checkTestPlaces({
    files,
    readmes: Object.fromEntries(readmes.map((file) => [file, read(file)])),
    hasTypesOnly: (file) => {
      const { code } = transformSync(read(file), { loader: file.endsWith('x') ? 'tsx' : 'ts' })
      return code.replace(/^import .*$/gm, '').trim() === ''
    },
  })
  expect(wrong).toEqual([])
})
