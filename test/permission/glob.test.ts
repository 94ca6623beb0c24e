import { expect, it } from 'vitest'
import { globExpression } from '../../src/permission/paths/glob.ts'
import { folderWith } from '../support/folder.ts'
import { callOf, testPolicy } from '../support/policy.ts'

it.each([
  ['/p/*.ts', ['/p/a.ts', '/p/.ts', '/p/a.b.ts'], ['/p/a.tsx', '/p/x/a.ts', '/a.ts']],
  ['/p/a*b*c', ['/p/abc', '/p/axxbybc', '/p/abbc'], ['/p/ab/c', '/p/acb']],
  ['/p/*a*', ['/p/a', '/p/bab'], ['/p/b', '/p/a/b']],
  ['/p/**/x', ['/p/x', '/p/a/x', '/p/a/b/x'], ['/p/ax', '/x']],
  ['/p/**', ['/p/a', '/p/a/b'], ['/p', '/q/a']],
  ['**/a**/b', ['a/b', 'axx/b', 'x/axx/y/b', 'a/a/b'], ['x/b', 'x/ab/ab']],
  ['/p/?[ab]*', ['/p/xa', '/p/xbcd'], ['/p/xc', '/p/a']],
])('%s matches exactly these paths', (glob, matching, others) => {
  const expression = globExpression(glob, '')
  expect(matching.filter((path) => !expression.test(path))).toEqual([])
  expect(others.filter((path) => expression.test(path))).toEqual([])
})

it('matches many stars against a long name without backtracking', async () => {
  const long = 'a'.repeat(250)
  const folders = '**/a'.repeat(20)
  expect(globExpression(`/${folders}/b`, '').test('/a'.repeat(400))).toBe(false)
  const stars = `${'a*'.repeat(30)}b`
  expect(globExpression(`/p/${stars}`, 'i').test(`/p/${long}`)).toBe(false)
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
