import { describe, expect, it } from 'vitest'
import { type ErrorCode, PipeError } from '../../../src/error.ts'
import { wayOut } from '../../../src/frontend/words/way-out.ts'

const here = { hasKeys: true, recall: '↑' }
const way = (code: ErrorCode, details: Readonly<Record<string, string>> = {}, ways = here) =>
  wayOut(new PipeError(code, 'it failed', { details }), ways)

describe('the way out of an error', () => {
  it.each<[ErrorCode, Readonly<Record<string, string>>, string]>([
    ['auth', { provider: 'acme' }, '/login acme'],
    ['overloaded', {}, '/model chooses another model; ↑ brings your message back to send it again'],
    ['rate_limited', { should_retry: 'false' }, '/model'],
    ['network', {}, '↑'],
    ['timeout', {}, '↑'],
    ['protocol', {}, '/model'],
    ['not_found', { status: '404' }, '/model lists'],
    ['context_overflow', {}, '/compact'],
    ['refused', {}, '/model chooses another model; ↑ brings your message back to change it'],
  ])('of %s with %j names %s', (code, details, words) => {
    expect(way(code, details)).toContain(words)
  })

  it('names no key if none recalls a message', () => {
    expect(way('network', {}, { ...here, recall: '' })).toBe('/model chooses another model')
  })

  it('names no command that cannot help', () => {
    expect([
      way('auth'),
      way('auth', { provider: 'acme' }, { ...here, hasKeys: false }),
      way('not_found'),
      way('invalid', { status: '400' }),
      way('aborted'),
    ]).toEqual(Array.from({ length: 5 }, () => undefined))
  })
})
