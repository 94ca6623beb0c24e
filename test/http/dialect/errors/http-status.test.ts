import { describe, expect, it } from 'vitest'
import { requestId, responseDetails, statusError } from '../../../../src/http/dialect/errors/http-status.ts'

const now = Date.parse('2026-02-18T12:00:00Z')
const details = (headers: Record<string, string>) => responseDetails({ status: 429, headers }, now)

describe('a failing status', () => {
  it.each([
    [400, 'invalid'],
    [401, 'auth'],
    [403, 'auth'],
    [404, 'not_found'],
    [408, 'timeout'],
    [409, 'overloaded'],
    [413, 'context_overflow'],
    [418, 'invalid'],
    [425, 'overloaded'],
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
    ['advice on retrying', { 'x-should-retry': 'false' }, { should_retry: 'false' }],
  ])('hold %s', (_, headers, expected) => {
    expect(details(headers)).toEqual({ status: '429', ...expected })
  })
})

describe('the id of a request', () => {
  it.each([
    [{ 'x-request-id': 'req_1', 'request-id': 'b', 'cf-ray': 'c' }, 'req_1'],
    [{ 'request-id': 'req_2', 'cf-ray': 'c' }, 'req_2'],
    [{ 'apim-request-id': 'a1', 'cf-ray': 'c' }, 'a1'],
    [{ 'x-amzn-requestid': 'a2' }, 'a2'],
    [{ 'x-goog-request-id': 'a3' }, 'a3'],
    [{ 'some-correlation-id': 'a4' }, 'a4'],
    [{ 'x-trace-id': 'a5' }, 'a5'],
    [{ 'cf-ray': 'c' }, 'c'],
    [{ 'x-request-id': '', 'cf-ray': 'c' }, 'c'],
    [{ 'x-request-id': 'x'.repeat(1_000) }, 'x'.repeat(200)],
    [{ 'x-request-id-limit': '9', date: 'today' }, undefined],
  ])('is found in %j', (headers, id) => {
    expect(requestId(headers)).toBe(id)
  })
})
