import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { Shadow } from '../../../src/git/shadow.ts'
import { copyFolder } from '../../../src/git/worktrees/folder-copy.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { listing, never, openProject } from '../project.ts'

/** A project, and a copy of it that is not made yet. */
async function openCopy() {
  const original = await openProject({ files: { 'a.txt': 'a\n', '.gitignore': 'b.txt\n', 'b.txt': 'b' } })
  const root = join(original.folder, 'copy')
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  const copy = new Shadow({
    root,
    cwd: root,
    directory: join(original.folder, 'saved'),
    keepOut: [],
    commands,
    clock: systemClock,
    searchPath: process.env['PATH'] ?? '',
    pid: process.pid,
    host: 'here',
  })
  return { original, root, copy }
}

it('a copy holds the files that are not ignored, and links and modes; its diff tells what changed in it', async () => {
  const { original, root, copy } = await openCopy()
  original.run('ln -s /nowhere link; chmod 700 a.txt')
  const made = await copyFolder({ original: original.shadow, copy, signal: never() })
  expect(Object.keys(listing(root))).toEqual(['.gitignore', 'a.txt', 'link'])
  expect(await made.diff(made.start)).toBe('')
  writeFileSync(join(root, 'a.txt'), 'b\n')
  chmodSync(join(root, 'a.txt'), 0o600)
  expect(await made.diff(made.start)).toMatch(/^diff --git a\/a\.txt[\s\S]*old mode 100755[\s\S]*-a\n\+b\n$/)
  expect(original.list()).toMatchObject({ 'a.txt': '700 "a\\n"', 'b.txt': expect.any(String) })
})

it('a copy is not made once it is interrupted', async () => {
  const { original, copy } = await openCopy()
  const copying = copyFolder({ original: original.shadow, copy, signal: AbortSignal.abort() })
  await expect(copying).rejects.toMatchObject({ code: 'aborted' })
})
