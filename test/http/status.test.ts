import { describe, expect, it } from 'vitest'
import { responseDetails, statusError } from '../../src/http/status.ts'

const now = Date.parse('2026-02-18T12:00:00Z')
const details = (headers: Record<string, string>) => responseDetails({ status: 429, headers }, now)

describe('a failing status', () => {
  it.each([
    [400, 'invalid'],
    [401, 'auth'],
    [403, 'auth'],
    [404, 'not_found'],
    [408, 'timeout'],
    [413, 'context_overflow'],
    [418, 'invalid'],
    [429, 'rate_limited'],
    [500, 'overloaded'],
    [529, 'overloaded'],
    [302, 'protocol'],
  ])('%i means %s', (status, code) => expect(statusError(status)).toBe(code))
})

describe('the details of a failing response', () => {
  it.each([
    ['nothing', {}, {}],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '3' }, { retry_after_ms: '250' }],
    ['seconds', { 'retry-after': '3' }, { retry_after_ms: '3000' }],
    ['parts of seconds', { 'retry-after': '0.5' }, { retry_after_ms: '500' }],
    ['a date', { 'retry-after': 'Wed, 18 Feb 2026 12:00:02 GMT' }, { retry_after_ms: '2000' }],
    ['a date in the past', { 'retry-after': 'Wed, 18 Feb 2026 11:59:00 GMT' }, {}],
    ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': '-1' }, {}],
    ['a word on retrying', { 'x-should-retry': 'false' }, { should_retry: 'false' }],
    ['an id', { 'x-request-id': 'req_1' }, { request_id: 'req_1' }],
  ])('hold %s', (_, headers, expected) => {
    expect(details(headers)).toEqual({ status: '429', ...expected })
  })
})
