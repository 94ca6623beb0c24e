import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  writeCommit,
  writeFlatTree,
  writeRef,
  writeTextBlob,
} from '../../../src/git/checkpoints/loose-objects.ts'
import type { Shadow } from '../../../src/git/shadow.ts'
import { never, openProject } from '../project.ts'

const ref = 'refs/pipe/a/undo/00000001'

/** Writes a commit of three files, and another upon it. */
function writeCommits(shadow: Shadow) {
  const names = ['list', 'a.b', 'a']
  const files = names.map((name) => ({ name, id: writeTextBlob(shadow, `${name} and ünï\n`) }))
  const tree = writeFlatTree(shadow, files)
  const author = { email: '0b0e7e6a-0000-4000-8000-000000000000', at: 1_764_500_000_999 }
  const committer = { email: 'pipe', at: 1_764_500_001_000 }
  const first = writeCommit(shadow, { tree, author, committer, message: 'a turn' })
  const second = writeCommit(shadow, { tree, parent: first, author, committer, message: 'ünï\n\n[["a",1]]' })
  return { tree, first, second }
}

describe('objects and refs without a git process', () => {
  /** Works in the shadow of an empty project. */
  async function inShadow(work: (shadow: Shadow) => Promise<void>) {
    const { shadow } = await openProject()
    await shadow.within(60_000, never()).exclusively(() => work(shadow))
  }

  it('are what git would have written', () =>
    inShadow(async (shadow) => {
      const { tree, first, second } = writeCommits(shadow)
      await writeRef(shadow, ref, second)
      expect(await shadow.git(['fsck', '--strict', '--no-dangling'])).toBe('')
      expect(await shadow.git(['ls-tree', '--name-only', tree])).toBe('a\na.b\nlist\n')
      expect(await shadow.git(['cat-file', 'blob', `${ref}:list`])).toBe('list and ünï\n')
      const env = {
        GIT_AUTHOR_NAME: 'pipe',
        GIT_AUTHOR_EMAIL: '0b0e7e6a-0000-4000-8000-000000000000',
        GIT_AUTHOR_DATE: '@1764500000 +0000',
        GIT_COMMITTER_NAME: 'pipe',
        GIT_COMMITTER_EMAIL: 'pipe',
        GIT_COMMITTER_DATE: '@1764500001 +0000',
      }
      const message = ['-m', 'ünï', '-m', '[["a",1]]']
      expect(await shadow.git(['commit-tree', tree, '-p', first, ...message], { env })).toBe(`${second}\n`)
      expect(await shadow.git(['rev-parse', ref])).toBe(`${second}\n`)
    }))

  it('are the same when written again, over what a kill has left too', () =>
    inShadow(async (shadow) => {
      const { first } = writeCommits(shadow)
      const folder = join(shadow.path, 'objects', first.slice(0, 2))
      const place = join(folder, first.slice(2))
      utimesSync(place, 0, 0)
      writeFileSync(join(folder, 'tmp_obj_pipe'), 'half')
      expect(writeCommits(shadow).first).toBe(first)
      await writeRef(shadow, ref, first)
      expect(await shadow.git(['fsck', '--strict', '--no-dangling'])).toBe('')
      expect(existsSync(join(folder, 'tmp_obj_pipe'))).toBe(false)
      // So that a collection of garbage that runs beside it keeps it.
      expect(statSync(place).mtimeMs).toBeGreaterThan(0)
    }))

  it('a ref also moves once git has packed it', () =>
    inShadow(async (shadow) => {
      const { first, second } = writeCommits(shadow)
      await writeRef(shadow, ref, first)
      await shadow.git(['pack-refs', '--all'])
      await writeRef(shadow, ref, second)
      expect(await shadow.git(['rev-parse', ref])).toBe(`${second}\n`)
    }))

  it('a ref that git holds is left to git', () =>
    inShadow(async (shadow) => {
      const { first, second } = writeCommits(shadow)
      await writeRef(shadow, ref, first)
      const lock = join(shadow.path, `${ref}.lock`)
      writeFileSync(lock, '')
      await expect(writeRef(shadow, ref, second)).rejects.toThrow(/^git update-ref: [\s\S]*\.lock/)
      rmSync(lock)
      await writeRef(shadow, ref, second)
      expect(await shadow.git(['rev-parse', ref])).toBe(`${second}\n`)
    }))
})
