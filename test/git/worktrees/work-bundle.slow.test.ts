import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listing } from '../project.ts'
import { openWorktreeProject, options } from '../worktree-project.ts'

/** Saved work on a machine, and the repository of another one. */
async function twoMachines(script?: string) {
  const first = await openWorktreeProject({ ...(script === undefined ? {} : { script }) })
  first.put('mine', 'm\n')
  const made = await first.worktrees.create('one', options)
  writeFileSync(join(made.cwd, 'b'), 'b\n')
  await made.save(options)
  const clone = script === undefined ? `git clone -q ${first.root} .` : 'true'
  const second = await openWorktreeProject({ files: {}, script: clone })
  return { made, second: second.worktrees, bundle: await first.worktrees.bundle('one', options) }
}

it.each([
  ['a repository', undefined],
  ['a repository without a commit', 'git init -q'],
  ['a folder outside of git', 'true'],
])('work in %s goes on, on another machine, with the files it began with', async (_, script) => {
  const { made, second, bundle } = await twoMachines(script)
  await second.restoreBundle('one', bundle, options)
  const there = await second.open('one', options)
  expect(there.base).toBe(made.base)
  const { '.git': __, ...files } = listing(there.cwd)
  const { '.git': ___, ...wanted } = listing(made.cwd)
  expect(files).toEqual(wanted)
  expect((await second.diff('one', options)).files).toEqual([{ path: 'b', added: 1, removed: 0 }])
  expect(await second.holds('one', bundle.subarray(0, 4_096), options)).toBe(true)
  writeFileSync(join(there.cwd, 'b'), 'c\n')
  await there.save(options)
  expect(await second.holds('one', bundle.subarray(0, 4_096), options)).toBe(false)
})

it('work is refused where the history before it is missing, and what is no bundle of it', async () => {
  const { bundle } = await twoMachines()
  const { worktrees } = await openWorktreeProject({ files: { other: 'o' } })
  await expect(worktrees.restoreBundle('one', bundle, options)).rejects.toMatchObject({ code: 'not_found' })
  const other = await twoMachines()
  await expect(other.second.restoreBundle('two', other.bundle, options)).rejects.toMatchObject({
    code: 'invalid',
  })
  const junk = Buffer.from('# v2 git bundle\njunk')
  await expect(worktrees.restoreBundle('one', junk, options)).rejects.toMatchObject({ code: 'invalid' })
  await expect(worktrees.open('one', options)).rejects.toMatchObject({ code: 'not_found' })
})
