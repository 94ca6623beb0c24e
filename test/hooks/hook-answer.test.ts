import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src/hooks/hook.ts'
import { readAnswer } from '../../src/hooks/hook-answer.ts'
import type { HookRun } from '../../src/hooks/run-hook.ts'
import { printable } from '../../src/terminal/printable.ts'
import { hooksOf, onCall } from './runner.ts'

const done: HookRun = { exitCode: 0, stdout: '', stderr: '', timedOut: false, durationMs: 1 }

function read(
  run: Partial<HookRun>,
  { event = 'PreToolUse', ...more }: { event?: HookEvent; onFailure?: string } = {},
) {
  const [hook] = hooksOf(onCall('check', more))
  if (hook === undefined) throw new Error('there is no hook')
  return readAnswer({ ...hook, event }, { ...done, ...run }, printable)
}

const print = (value: unknown) => ({ stdout: JSON.stringify(value) })
const about = (fields: object) => print({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const nothing = { notices: [], failed: false }

describe('the answer of a hook', () => {
  it('is nothing if it prints nothing, or plain text', () => {
    expect(read({})).toEqual(nothing)
    expect(read({ stdout: 'all is well\n', stderr: 'debug' })).toEqual(nothing)
  })

  it('is text for the model if it prints it at a prompt or a start', () => {
    for (const event of ['UserPromptSubmit', 'SessionStart'] as const)
      expect(read({ stdout: ' hello\n' }, { event })).toEqual({ ...nothing, context: 'hello' })
  })

  it('holds 64 KiB of each text, and says so', () => {
    const long = 'x'.repeat(100_000)
    const context = `${'x'.repeat(65_536)}\n[the rest is left out]`
    expect(read({ stdout: long }, { event: 'SessionStart' })).toMatchObject({ context })
    expect(read(about({ additionalContext: long }))).toMatchObject({ context })
  })

  it('is a refusal if it exits with 2, whatever it prints', () => {
    expect(read({ exitCode: 2, stderr: 'no\n', ...about({ permissionDecision: 'allow' }) })).toEqual({
      ...nothing,
      block: 'no',
    })
    expect(read({ exitCode: 2 })).toEqual({ ...nothing, block: 'the hook check refuses it' })
  })

  it('is what its JSON says about a call', () => {
    expect(read(about({ permissionDecision: 'deny', permissionDecisionReason: 'no' }))).toEqual({
      ...nothing,
      block: 'no',
    })
    expect(read(about({ permissionDecision: 'ask', permissionDecisionReason: 'hm' }))).toEqual({
      ...nothing,
      permission: { behavior: 'ask', reason: 'hm' },
    })
    expect(read(about({ permissionDecision: 'allow' }))).toEqual({
      ...nothing,
      permission: { behavior: 'allow', reason: 'the hook check says so' },
    })
    expect(read(about({ updatedInput: { command: 'ls' }, additionalContext: 'note' }))).toEqual({
      ...nothing,
      input: { command: 'ls' },
      context: 'note',
    })
    expect(read(print({ decision: 'block', reason: 'no' }))).toEqual({ ...nothing, block: 'no' })
    expect(read(print({ decision: 'approve', reason: 'yes' }))).toEqual({
      ...nothing,
      permission: { behavior: 'allow', reason: 'yes' },
    })
  })

  it('may end the turn, and tell the user something', () => {
    expect(read(print({ continue: false, stopReason: 'enough', systemMessage: 'look' }))).toEqual({
      notices: ['look'],
      failed: false,
      stop: 'enough',
    })
  })

  it('holds nothing that acts on a terminal, or hides', () => {
    expect(
      read(about({ permissionDecision: 'deny', permissionDecisionReason: '\u001b[31mred\u202e' })),
    ).toEqual({
      ...nothing,
      block: 'red\\u202e',
    })
    expect(read({ exitCode: 2, stderr: '\u001b]0;title\u0007no' })).toEqual({ ...nothing, block: 'no' })
  })
})

describe('a hook that fails', () => {
  const told = (reason: string) => `the hook check (PreToolUse) failed: ${reason}`
  const notJson = 'its output is not the JSON that hooks answer with'
  it.each<[string, Partial<HookRun>, string]>([
    ['another exit code', { exitCode: 1, stderr: 'a\nb' }, 'it exited with 1: a'],
    ['a signal', { exitCode: null }, 'a signal ended it'],
    ['a timeout', { exitCode: null, timedOut: true }, 'it did not finish in time'],
    ['a program that does not exist', { fault: 'there is no such program' }, 'there is no such program'],
    ['JSON that is cut', { stdout: '{"decision": "bl' }, notJson],
    ['a decision that does not exist', print({ decision: 'perhaps' }), notJson],
    ['a permission that does not exist', about({ permissionDecision: 'defer' }), notJson],
    ['an answer about another event', about({ hookEventName: 'Stop', permissionDecision: 'allow' }), notJson],
    ['a reason that is no text', print({ decision: 'block', reason: 7 }), notJson],
    ['arguments that are no object', about({ updatedInput: 'ls' }), notJson],
    ['a word for yes or no', print({ continue: 'no' }), notJson],
  ])('by %s says nothing, and is told', (_, run, reason) => {
    expect(read(run)).toEqual({ notices: [told(reason)], failed: true })
    expect(read(run, { onFailure: 'block' })).toEqual({
      notices: [told(reason)],
      failed: true,
      block: told(reason),
    })
  })

  it('by an answer that is cut refuses a call, and says what to do', () => {
    const run = { stdout: 'log\nlog', isCut: true }
    for (const event of ['PreToolUse', 'PermissionRequest'] as const)
      expect(read(run, { event })).toEqual({
        notices: [cut(event)],
        failed: true,
        block: cut(event),
      })
    expect(read({ ...run, exitCode: 2, stderr: 'no' })).toEqual({ ...nothing, block: 'no' })
    expect(read({ stdout: '{"decision": "bl', isCut: true }, { event: 'Stop' })).toEqual({
      notices: [cut('Stop')],
      failed: true,
    })
    expect(read(run, { event: 'SessionStart' })).toEqual({ ...nothing, context: 'log\nlog' })
  })
})

function cut(event: HookEvent): string {
  return `the hook check (${event}) failed: it answered with more than 1 MiB; let it answer with its JSON alone, and log elsewhere`
}
