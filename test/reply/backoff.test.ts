import { describe, expect, it } from 'vitest'
import { type ErrorCode, PipeError } from '../../src/error.ts'
import { retryDelay } from '../../src/reply/backoff.ts'

const [least, middle, most] = [() => 0, () => 0.5, () => 1]

function failure(code: ErrorCode, details: Record<string, string> = {}): PipeError {
  return new PipeError(code, 'tired', { details })
}

describe('the wait before another try', () => {
  it.each([
    [1, 375, 500, 625],
    [2, 750, 1_000, 1_250],
    [3, 1_500, 2_000, 2_500],
    [4, 3_000, 4_000, 5_000],
    [5, 6_000, 8_000, 10_000],
  ])('number %i is between %i and %i and %i ms', (attempt, shortest, usual, longest) => {
    const waits = [least, middle, most].map((random) => retryDelay(failure('network'), attempt, random))
    expect(waits).toEqual([shortest, usual, longest])
  })

  it('does not come after the fifth', () => {
    expect(retryDelay(failure('network'), 6, middle)).toBeUndefined()
    expect(retryDelay(failure('network', { retry_after_ms: '10' }), 6, middle)).toBeUndefined()
    expect(retryDelay(failure('network', { should_retry: 'true' }), 6, middle)).toBeUndefined()
  })

  it.each(['rate_limited', 'overloaded', 'network', 'timeout'] as const)('comes after %s', (code) => {
    expect(retryDelay(failure(code), 1, middle)).toBe(500)
  })

  it.each(['auth', 'invalid', 'context_overflow', 'protocol', 'aborted', 'internal'] as const)(
    'does not come after %s',
    (code) => {
      expect(retryDelay(failure(code), 1, middle)).toBeUndefined()
    },
  )

  it.each([
    ['0', 500],
    ['1', 1],
    ['59999', 59_999],
    ['60000', 60_000],
    ['60001', undefined],
    ['1e+23', undefined],
  ])('is what the server asks for, up to a minute: %s ms', (asked, expected) => {
    expect(retryDelay(failure('rate_limited', { retry_after_ms: asked }), 3, most)).toBe(expected)
  })

  it('follows the server’s advice on retrying', () => {
    expect(retryDelay(failure('network', { should_retry: 'false' }), 1, middle)).toBeUndefined()
    expect(retryDelay(failure('invalid', { should_retry: 'true' }), 1, middle)).toBe(500)
    expect(retryDelay(failure('auth', { retry_after_ms: '10' }), 1, middle)).toBeUndefined()
    expect(retryDelay(failure('network', { should_retry: 'maybe' }), 1, middle)).toBe(500)
    expect(retryDelay(failure('invalid', { should_retry: 'maybe' }), 1, middle)).toBeUndefined()
  })
})
