import { execFileSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { findOrigin } from '../../../src/git/worktrees/origin.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { folderWith } from '../../support/folders/folder.ts'

const searchPath = process.env['PATH'] ?? ''
const { signal } = new AbortController()

/** Runs shell lines in a new folder, where `commit` makes a commit. Returns what `findOrigin` finds there, and what they print. */
async function originAfter(script: string, folder = '.') {
  const root = await folderWith({ 'sub/a.txt': 'a' })
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  const env = { PATH: searchPath, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const commit =
    'commit() { git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "$1" && git rev-parse HEAD; }'
  const printed = execFileSync('bash', ['-ec', `${commit}\n${script}`], { cwd: root, env, encoding: 'utf8' })
  const origin = await findOrigin({ commands, cwd: `${root}/${folder}`, searchPath, signal })
  return { origin, printed: printed.split('\n').filter((line) => line !== '') }
}

it('names the first commit of a repository and the current one, from any folder of it', async () => {
  const { origin, printed } = await originAfter('git init -q; commit one; commit two; commit three', 'sub')
  const [first = '', , last] = printed
  expect(origin).toEqual({ roots: [first], head: last, isShallow: false })
})

it('names all first commits in one order, whichever history was merged into which', async () => {
  const two = 'git init -q -b main; commit one; git checkout -q --orphan other; commit two'
  const merge = 'git -c user.name=a -c user.email=a@b merge -q --allow-unrelated-histories --no-edit'
  const one = await originAfter(`${two}; ${merge} main`)
  const [a = '', b = ''] = one.printed
  expect(one.origin?.roots).toEqual([a, b].sort())
})

it('says that a clone is shallow', async () => {
  const { origin, printed } = await originAfter(
    'git init -q a; cd a; commit one; commit two; git clone -q --depth 1 "file://$PWD" ../b',
    'b',
  )
  const [, last = ''] = printed
  expect(origin).toEqual({ roots: [last], head: last, isShallow: true })
})

it('finds no commit in a new repository, and nothing outside of one', async () => {
  expect((await originAfter('git init -q')).origin).toEqual({ roots: [], isShallow: false })
  expect((await originAfter('true')).origin).toBeUndefined()
})
