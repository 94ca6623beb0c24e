import { describe, expect, it, vi } from 'vitest'
import {
  type ErrorCode,
  errorText,
  exitCodes,
  failureOf,
  isErrorCode,
  isPipeError,
  PipeError,
  retryable,
  unreachable,
} from '../src/error.ts'
import { thrown } from './support/thrown.ts'

/** Exit code of each error, and whether a retry may help. */
const table: Record<ErrorCode, readonly [exitCode: number, retry: boolean]> = {
  internal: [1, false],
  usage: [2, false],
  auth: [41, false],
  input: [42, false],
  invalid: [42, false],
  conflict: [42, false],
  context_overflow: [42, false],
  sandbox: [44, false],
  permission: [45, false],
  refused: [46, false],
  budget: [47, false],
  length: [48, false],
  schema: [49, false],
  check: [50, false],
  rate_limited: [51, true],
  overloaded: [51, true],
  network: [51, true],
  timeout: [51, true],
  protocol: [51, false],
  config: [52, false],
  not_found: [52, false],
  turn_limit: [53, false],
  tool: [54, false],
  storage: [54, false],
  untrusted: [55, false],
  aborted: [130, false],
}

describe('an error code', () => {
  it('has its exit code and retry flag', () => {
    const column = (index: 0 | 1) =>
      Object.fromEntries(Object.entries(table).map(([code, row]) => [code, row[index]]))
    expect(exitCodes).toEqual(column(0))
    expect(retryable).toEqual(column(1))
  })

  it('never means success', () => {
    expect(Object.values(exitCodes)).not.toContain(0)
  })
})

describe('a PipeError', () => {
  it('has a message, a cause and details', () => {
    const cause = new Error('ECONNRESET')
    const error = new PipeError('network', 'the connection was lost', { cause, details: { status: '0' } })
    expect(error).toBeInstanceOf(Error)
    expect({ ...error, message: error.message, cause: error.cause, text: String(error) }).toMatchObject({
      name: 'PipeError',
      code: 'network',
      message: 'the connection was lost',
      cause,
      details: { status: '0' },
      text: 'PipeError: the connection was lost',
    })
  })

  it('has no cause or details by default', () => {
    const error = new PipeError('internal', 'x')
    expect('cause' in error).toBe(false)
    expect(error.details).toEqual({})
  })

  it('is recognised across two copies of the package', async () => {
    vi.resetModules()
    const copy = await import('../src/error.ts')
    const foreign = new copy.PipeError('auth', 'no key')
    expect(foreign).not.toBeInstanceOf(PipeError)
    expect([isPipeError(foreign), copy.isPipeError(new PipeError('auth', 'x'))]).toEqual([true, true])
  })

  it.each([new Error('x'), { code: 'auth', message: 'x' }, 'auth', null, undefined])('is not %s', (other) => {
    expect(isPipeError(other)).toBe(false)
  })
})

it('a word is an error code only if it is in the tables', () => {
  const words = [...Object.keys(table), 'Auth', '', 'toString', '__proto__']
  expect(words.filter(isErrorCode)).toEqual(Object.keys(table))
})

describe('a run goes on without work that fails', () => {
  it('with any PipeError but `aborted`, which it is given', async () => {
    const lost = new PipeError('network', 'gone')
    expect([await failureOf(Promise.reject(lost)), await failureOf(Promise.resolve(1))]).toEqual([
      lost,
      undefined,
    ])
  })

  it.each([new PipeError('aborted', 'interrupted'), new TypeError('a bug')])(
    'and ends with %s',
    async (error) => {
      expect(await thrown(() => failureOf(Promise.reject(error)))).toBe(error)
    },
  )
})

describe('unreachable()', () => {
  it('crashes with the unexpected value', async () => {
    const slipped: unknown = { type: 'surprise' }
    const isImpossible = (value: unknown): value is never => value === slipped
    expect(await thrown(() => isImpossible(slipped) && unreachable(slipped))).toEqual(
      new Error('unreachable: {"type":"surprise"}'),
    )
  })
})

it('tells what went wrong, whatever was thrown', () => {
  expect(errorText(new TypeError('no such name'))).toBe('no such name')
  expect(errorText('a text')).toBe('a text')
  expect(errorText(undefined)).toBe('undefined')
})
