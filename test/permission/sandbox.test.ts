import { describe, expect, it } from 'vitest'
import type { SandboxMode } from '../../src/machine/sandbox.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

const run = (more: object = {}) => callOf('bash', { command: 'make install', ...more })
const leave = run({ sandbox: false })

/** A policy with this sandbox in every mode. */
const confined = (mode: PermissionMode, rules: RuleLists = {}, sandbox: SandboxMode = 'workspace-write') =>
  testPolicy({ mode, rules, sandboxed: async () => sandbox })

const asked = { behavior: 'ask', source: 'builtin', reason: 'it asks to run outside the sandbox' }

describe('with a sandbox', () => {
  it('auto runs commands in it without a question', async () => {
    expect(await confined('auto').judge(run())).toEqual({
      behavior: 'allow',
      source: 'mode',
      rule: 'auto',
      reason: 'it runs inside the sandbox',
      confined: true,
    })
  })

  it.each(['default', 'accept-edits', 'auto', 'bypass'] as const)(
    'SAND-221: leaving it asks in mode %s, whatever is allowed',
    async (mode) => {
      const policy = confined(mode, { allow: ['Bash', 'Bash(make install)'] })
      policy.allowForSession({ name: 'bash' })
      policy.allowRules(['Bash(make:*)'])
      expect(await policy.judge(leave)).toEqual(asked)
      expect(await policy.suggestRules(leave)).toEqual([])
    },
  )

  it('leaving it is denied if the command is, and in plan mode', async () => {
    expect(await confined('auto', { deny: ['Bash(make:*)'] }).judge(leave)).toMatchObject({
      behavior: 'deny',
    })
    expect(await confined('plan').judge(leave)).toMatchObject({ behavior: 'deny' })
  })

  it('deny and ask rules apply, and approved commands still run in it', async () => {
    expect(await confined('auto', { deny: ['Bash(make:*)'] }).judge(run())).toMatchObject({
      behavior: 'deny',
    })
    const decision = await confined('auto', { ask: ['Bash(make:*)'] }).judge(run())
    expect(decision).toMatchObject({ behavior: 'ask', confined: true })
  })

  it('every mode runs commands in it', async () => {
    const modes = ['default', 'accept-edits', 'bypass'] as const
    const policies = modes.map((mode) => confined(mode, { allow: ['Bash'] }))
    const decisions = await Promise.all(policies.map((policy) => policy.judge(run())))
    expect(decisions).toMatchObject(modes.map(() => ({ behavior: 'allow', confined: true })))
  })

  it('auto writes to a process inside, and asks once a command may have been started outside', async () => {
    const write = (input: string) => callOf('process', { action: 'write', id: 'p1', input })
    const policy = confined('auto', { deny: ['Bash(rm:*)'] })
    await policy.judge(run())
    expect(await policy.judge(write('make install\n'))).toMatchObject({ behavior: 'allow', confined: true })
    expect(await policy.judge(write('rm x\n'))).toMatchObject({ behavior: 'deny' })
    expect(await policy.judge(write('rm -rf ~\n'))).toMatchObject({ behavior: 'deny' })
    await policy.judge(leave)
    expect(await policy.judge(write('make install\n'))).toMatchObject({ behavior: 'ask' })
  })

  it('auto allows edits that commands could make', async () => {
    const edit = callOf('edit', { path: 'src/a.ts' })
    expect(await confined('auto').judge(edit)).toMatchObject({ behavior: 'allow' })
    expect(await confined('auto', {}, 'read-only').judge(edit)).toMatchObject({ behavior: 'ask' })
  })

  it('a change of mode does not affect a call that is being judged', async () => {
    const policy = testPolicy({
      mode: 'auto',
      sandboxed: async (mode) => {
        policy.mode = 'default'
        return mode === 'auto' ? 'workspace-write' : undefined
      },
    })
    expect(await policy.judge(run())).toMatchObject({ behavior: 'allow', confined: true })
    expect(await policy.judge(run())).toMatchObject({ behavior: 'ask' })
  })
})

describe('without a sandbox', () => {
  it('auto asks like default', async () => {
    const decisions = await Promise.all(
      (['auto', 'default'] as const).map((mode) =>
        testPolicy({ mode, sandboxed: async () => undefined }).judge(leave),
      ),
    )
    expect(decisions[0]).toEqual(decisions[1])
    expect(decisions[0]).toMatchObject({ behavior: 'ask' })
  })
})
