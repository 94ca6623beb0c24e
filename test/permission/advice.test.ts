import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import { type Advice, type PermissionMode, permissionModes } from '../../src/permission.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

function advised(name: string, args: JsonObject, behavior: Advice['behavior']) {
  return { ...callOf(name, args), advice: { behavior, by: 'check', reason: 'it says so' } }
}

async function judge(
  call: ReturnType<typeof advised>,
  { mode = 'default', rules = {} }: { readonly mode?: PermissionMode; readonly rules?: RuleLists } = {},
) {
  const { behavior, source, rule, reason } = await testPolicy({ mode, rules }).judge(call)
  return [behavior, source, rule, reason].filter((one) => one !== undefined).join(' ')
}

const allowed = advised('bash', { command: 'touch a.txt' }, 'allow')
const byHook = 'hook check it says so'

describe('a hook that allows a call', () => {
  it('answers the question that pipe would ask for want of a rule', async () => {
    expect(await judge(allowed)).toBe(`allow ${byHook}`)
  })

  it.each<[string, RuleLists]>([
    ['deny user Bash(touch:*)', { deny: ['Bash(touch:*)'] }],
    ['ask user Bash(touch:*)', { ask: ['Bash(touch:*)'] }],
    ['deny user Bash', { deny: ['Bash'], allow: ['Bash(touch:*)'] }],
  ])('gives way: %s', async (expected, rules) => {
    expect(await judge(allowed, { rules })).toContain(expected)
    expect(await judge(allowed, { rules, mode: 'bypass' })).toContain(expected)
  })

  it('gives way to plan mode, and to what is always asked about', async () => {
    expect(await judge(allowed, { mode: 'plan' })).toContain('deny mode plan')
    const removal = advised('bash', { command: 'rm -rf /' }, 'allow')
    expect(await judge(removal, { mode: 'bypass' })).toMatch(/^ask builtin/)
    const guarded = advised('write', { path: '.git/hooks/pre-commit', content: '' }, 'allow')
    expect(await judge(guarded)).toMatch(/^ask builtin/)
  })
})

describe('a hook that asks about a call', () => {
  it.each(permissionModes)('is heard in mode %s, but for what is forbidden', async (mode) => {
    const asked = advised('bash', { command: 'touch a.txt' }, 'ask')
    const expected = mode === 'plan' ? 'deny mode plan' : `ask ${byHook}`
    expect(await judge(asked, { mode, rules: { allow: ['Bash'] } })).toContain(expected)
    expect(await judge(asked, { mode, rules: { deny: ['Bash(touch:*)'] } })).toContain('deny user')
  })
})
