import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseGlob } from '../../src/globs/compile-glob.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, testPolicy } from '../support/permission/policy.ts'

it('matches many stars against a long name without backtracking', async () => {
  const long = 'a'.repeat(250)
  const folders = '**/a'.repeat(20)
  expect(parseGlob(`/${folders}/b`).matches('/a'.repeat(400))).toBe(false)
  const stars = `${'a*'.repeat(30)}b`
  expect(parseGlob(`/p/${stars}`, { ignoresCase: true }).matches(`/p/${long}`)).toBe(false)
  const cwd = await folderWith({ [long]: '' })
  const policy = testPolicy({ cwd, rules: { deny: [`Read(${stars})`] } })
  expect((await policy.judge(callOf('bash', { command: `cat ${stars}` }))).behavior).not.toBe('allow')
  expect((await policy.judge(callOf('read', { path: long }))).behavior).toBe('allow')
})

it.each(['*'.repeat(100_000), '?*'.repeat(40_000), '[a]'.repeat(20_000), 'x'.repeat(50_000)])(
  'judges a command with a glob of any length',
  async (glob) => {
    const policy = testPolicy({ rules: { deny: ['Read(.env)'], allow: ['Bash', 'Read'] } })
    for (const command of [`cat /${glob}`, `cat ${glob}`, `cp a ${glob}`, `rm -rf ${glob}/`]) {
      expect((await policy.judge(callOf('bash', { command }))).behavior).toMatch(/^(allow|ask|deny)$/)
    }
  },
)

it.each(['cat .?/secret', 'cat .[.]/secret', 'cat src/.*/../secret', 'ls .*'])(
  'asks about %s, because before bash 5.2 the glob matches the folder above',
  async (command) => {
    const cwd = join(await folderWith({ 'p/src/a': '', secret: '' }), 'p')
    expect((await testPolicy({ cwd }).judge(callOf('bash', { command }))).behavior).toBe('ask')
  },
)

it('allows a glob for hidden files that does not match the folder above', async () => {
  const cwd = await folderWith({ 'src/.a': '', '.env': '' })
  for (const command of ['ls .[a-z]*', 'ls src/.*', 'cat .e*'])
    expect((await testPolicy({ cwd }).judge(callOf('bash', { command }))).behavior).toBe('allow')
})
