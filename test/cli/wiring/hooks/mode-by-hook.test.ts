import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../../src/audit.ts'
import { setModeByHook } from '../../../../src/cli/wiring/hooks/mode-by-hook.ts'
import { PipeError } from '../../../../src/error.ts'
import type { PermissionMode } from '../../../../src/permission.ts'
import { untyped } from '../../../support/untyped.ts'

/** Lets a hook called `check` set a mode. Returns the mode then, what the user is told, and the audit log. */
function set(
  word: string,
  {
    from = 'default',
    isShared = false,
    choices = {},
    agent = {},
  }: {
    readonly from?: PermissionMode
    readonly isShared?: boolean
    readonly choices?: object
    readonly agent?: object
  } = {},
) {
  const audit: AuditEntry[] = []
  const policy = { mode: from }
  const parts = { policy, isShared, audit: { append: (entry: AuditEntry) => void audit.push(entry) } }
  const told = setModeByHook(
    word,
    'check',
    parts,
    untyped({ choices, agent: { refusalOf: () => undefined, ...agent } }),
  )
  return { mode: policy.mode, told, audit }
}

describe('a mode that a hook sets', () => {
  it('counts from then on, and is in the audit log', () => {
    const change = { from: 'default', to: 'accept-edits', source: 'check' }
    expect(set('acceptEdits')).toEqual({
      mode: 'accept-edits',
      told: 'the hook check sets the mode accept-edits',
      audit: [{ decision: 'mode_set', actor: 'user_local', audit: change }],
    })
    expect(set('plan', { from: 'bypass', choices: { parent: {}, isForData: true } }).mode).toBe('plan')
  })

  it('is not mentioned if it is the mode already', () => {
    expect(set('default')).toEqual({ mode: 'default', told: undefined, audit: [] })
  })

  const refusalOf = () => new PipeError('usage', 'the agent reader works in mode default or a stricter one')
  it.each([
    ['yolo', {}, 'there is no such mode'],
    ['bypassPermissions', {}, 'only you can change from default to bypass'],
    ['acceptEdits', { from: 'plan' }, 'only you can change from plan to accept-edits'],
    ['auto', { choices: { parent: {} } }, 'an elf works in no looser mode than it was given'],
    ['auto', { choices: { isForData: true } }, 'a run over data allows only what its command line does'],
    ['auto', { agent: { refusalOf } }, 'the agent reader works in mode default or a stricter one'],
    ['auto', { isShared: true }, 'the records of this run share one mode'],
  ] as const)('%s is refused with %j: %s', (word, given, reason) => {
    expect(set(word, given)).toEqual({
      mode: 'from' in given ? given.from : 'default',
      told: `the hook check cannot set the mode ${word}: ${reason}`,
      audit: [],
    })
  })
})
