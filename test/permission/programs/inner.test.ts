import { expect, it } from 'vitest'
import { callOf, testPolicy } from '../../support/permission/policy.ts'

it.each([
  ['Bash(git push:*)', '/usr/lib/git-core/git-push origin main'],
  ['Bash(git push:*)', 'git-push origin main'],
  ['Bash(git push:*)', 'env X=1 /usr/libexec/git-core/git-push'],
  ['Bash(git rebase:*)', 'git-rebase -i'],
  ['Bash(rm:*)', 'podman unshare rm x'],
  ['Bash(rm:*)', 'podman unshare --rootless-netns rm x'],
])('a rule against %s also finds %s', async (rule, command) => {
  const policy = testPolicy({ mode: 'bypass', rules: { deny: [rule] } })
  expect((await policy.judge(callOf('bash', { command }))).behavior).toBe('deny')
})

it('a rule that allows a part of git allows no program of such a name', async () => {
  const policy = testPolicy({ rules: { allow: ['Bash(git fetch:*)'] } })
  expect((await policy.judge(callOf('bash', { command: './git-fetch x' }))).behavior).toBe('ask')
})
