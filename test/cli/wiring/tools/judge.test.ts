import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPolicy } from '../../../../src/cli/wiring/tools/judge.ts'
import { stillClock } from '../../../support/clocks/still-clock.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { callOf } from '../../../support/permission/policy.ts'

it('asks before a write to any link on the way from a protected folder, and to its target', async () => {
  const home = await folderWith({ 'project/.pipe/x': '', 'project/other': '' })
  const cwd = join(home, 'project')
  for (const [link, target] of [
    ['.pipe/config.json', '../one'],
    ['one', 'two'],
    ['two', 'later'],
  ] as const) {
    await symlink(target, join(cwd, link))
  }
  const policy = await openPolicy(
    { cwd, home, env: {}, clock: stillClock([]), packageFolder: () => cwd },
    {
      settings: { permissions: { mode: 'accept-edits' } },
      trust: { root: cwd, shared: cwd, decided: cwd, trusted: true, approved: () => true },
    },
    { rules: [], sandboxed: false },
  )
  const judged = async (path: string) => (await policy.judge(callOf('write', { path }))).behavior
  expect(await Promise.all(['one', 'two', 'later', 'other'].map(judged))).toEqual([
    'ask',
    'ask',
    'ask',
    'allow',
  ])
})
