import { describe, expect, it } from 'vitest'
import type { Turn } from '../../src/engine.ts'
import { type ErrorCode, exitCodes, PipeError } from '../../src/error.ts'
import { judgeTurn } from '../../src/line/outcome.ts'
import { noUsage } from '../../src/usage.ts'
import { assistant, text, user } from '../support/messages/messages.ts'

const answered: Turn = {
  messages: [user(text('hello')), assistant(text('Done.'))],
  usage: noUsage,
  rounds: 1,
  stopReason: 'end_turn',
}

describe('a run', () => {
  it('with an answer succeeds', () => {
    expect(judgeTurn(answered, undefined)).toEqual({ exitCode: 0 })
  })

  it.each([
    ['end_turn', 0],
    ['tool_use', 0],
    ['unknown', 0],
    ['length', 48],
    ['refusal', 46],
    ['aborted', 130],
    ['error', 51],
  ] as const)('with stop reason %s ends with %i', (stopReason, exitCode) => {
    const outcome = judgeTurn({ ...answered, stopReason }, undefined)
    expect([outcome.exitCode, outcome.error !== undefined]).toEqual([exitCode, exitCode !== 0])
  })

  it('after a failure ends with the code of its error', () => {
    for (const code of Object.keys(exitCodes).filter((name): name is ErrorCode => name in exitCodes)) {
      const error = new PipeError(code, 'it failed')
      expect(judgeTurn({ ...answered, stopReason: 'error', error }, undefined)).toEqual({
        exitCode: exitCodes[code],
        error,
      })
    }
  })

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGPIPE', 141],
    ['SIGTERM', 143],
  ] as const)('ended by %s reports that, however the turn ended', (cause, exitCode) => {
    const error = new PipeError('network', 'gone')
    for (const turn of [answered, { ...answered, error }, { ...answered, stopReason: 'aborted' as const }]) {
      expect(judgeTurn(turn, cause)).toMatchObject({
        exitCode,
        error: { code: 'aborted', message: `ended by ${cause}` },
      })
    }
  })
})
