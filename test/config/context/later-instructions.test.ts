import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LaterInstructions } from '../../../src/config/context/context-files.ts'
import { folderWith } from '../../support/folders/folder.ts'

const files = {
  '.git/HEAD': '',
  'AGENTS.md': 'root',
  'app/AGENTS.md': 'app',
  'app/src/AGENTS.md': 'src @notes.md',
  'app/src/notes.md': 'notes',
  'app/src/x.ts': '',
  'other/CLAUDE.md': 'other',
  'other/y.ts': '',
  '.claude/rules/tests.md': '---\npaths: ["**/*.test.{ts,tsx}", docs]\n---\nRun the tests.',
}

async function later(given: readonly string[] = []) {
  const folder = await folderWith(files)
  const none = join(folder, 'none')
  const instructions = new LaterInstructions(
    { cwd: join(folder, 'app'), config: none, home: none },
    given.map((path) => join(folder, path)),
  )
  return (...paths: readonly string[]) =>
    instructions
      .about(paths.map((path) => join(folder, path)))
      .files.map(({ path, text }) => [path.slice(folder.length + 1), text])
}

it('gives the instructions of a subfolder when work goes there, once', async () => {
  const about = await later()
  expect(about('app/z.ts')).toEqual([])
  const src = [
    ['app/src/notes.md', 'notes'],
    ['app/src/AGENTS.md', 'src @notes.md'],
  ]
  expect(about('app/src/x.ts')).toEqual(src)
  expect(about('app/src/new.ts', 'app/src')).toEqual([])
  expect(about('other')).toEqual([['other/CLAUDE.md', 'other']])
})

it('gives a rule with paths at the first file that it is about', async () => {
  const about = await later()
  expect(about('app/x.ts')).toEqual([])
  expect(about('app/x.test.tsx')).toEqual([['.claude/rules/tests.md', 'Run the tests.']])
  expect(about('app/y.test.ts', 'docs/a.md')).toEqual([])
})

it('takes the files below a folder that a rule names', async () => {
  const about = await later()
  expect(about('other/docs/deep/a.md')).toEqual([
    ['other/CLAUDE.md', 'other'],
    ['.claude/rules/tests.md', 'Run the tests.'],
  ])
})

it('gives nothing about files outside of the project, and nothing that an earlier run gave', async () => {
  const about = await later(['app/src/AGENTS.md', 'app/src/notes.md'])
  expect(about('../elsewhere/AGENTS.md')).toEqual([])
  expect(about('app/src/x.ts')).toEqual([])
})
