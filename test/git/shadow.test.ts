import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { never, openProject } from './project.ts'

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** Ends in the first half of a second by the clock, in which git sees no difference of time. */
async function earlyInASecond(): Promise<void> {
  while (Date.now() % 1000 > 500) await sleep(20)
}

async function inTheNextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  while (Math.floor(Date.now() / 1000) === second) await sleep(20)
}

it.each([
  ['an entry is added by its id', ['update-index', '--add', '--cacheinfo', `100644,${emptyBlob},other`]],
  ['an entry is removed', ['update-index', '--force-remove', '--', 'gone']],
  ['the tree is written', ['write-tree']],
])('sees a change that is no larger and came in the same second as the file, after %s', async (_, args) => {
  const { shadow, put } = await openProject()
  await shadow.within(60_000, never()).exclusively(async () => {
    const git = (...words: readonly string[]) => shadow.git(words)
    let second = Number.NaN
    // Once more where the machine needed longer than the rest of the second.
    while (second !== Math.floor(Date.now() / 1000)) {
      await git('read-tree', '--empty')
      await earlyInASecond()
      second = Math.floor(Date.now() / 1000)
      put('gone', '')
      put('file', 'x')
      await git('update-index', '--add', '--', 'gone', 'file')
      put('file', 'y')
    }
    await inTheNextSecond()
    await git(...args)
    expect((await git('diff-files', '--name-only')).split('\n')).toContain('file')
  })
})
