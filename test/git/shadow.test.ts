import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { never, openProject } from './project.ts'

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** The second in which all happens, long ago. */
const second = 1_000_000_000

/** Lets git see of a file only its size and the second of its change, which a test can set. */
const settings = ['core.trustctime=false', 'core.checkStat=minimal']

it.each([
  ['an entry is added by its id', ['update-index', '--add', '--cacheinfo', `100644,${emptyBlob},other`]],
  ['an entry is removed', ['update-index', '--force-remove', '--', 'gone']],
  ['the tree is written', ['write-tree']],
])('sees a change that is no larger and came in the second of the index, after %s', async (_, args) => {
  const { root, shadow, put } = await openProject()
  const stamp = (path: string) => utimesSync(path, second, second)
  const putThen = (name: string, content: string) => {
    put(name, content)
    stamp(join(root, name))
  }
  await shadow.within(60_000, never()).exclusively(async () => {
    const git = (...words: readonly string[]) => shadow.git(words, { settings })
    putThen('gone', '')
    putThen('file', 'x')
    await git('update-index', '--add', '--', 'gone', 'file')
    stamp(join(shadow.path, 'index'))
    putThen('file', 'y')
    await git(...args)
    expect((await git('diff-files', '--name-only')).split('\n')).toContain('file')
  })
})
