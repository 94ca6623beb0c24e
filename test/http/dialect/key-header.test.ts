import { describe, expect, it } from 'vitest'
import { keyHeaders } from '../../../src/http/dialect/key-header.ts'

describe('the key of a server', () => {
  it.each<[string, Parameters<typeof keyHeaders>, Record<string, string>]>([
    ['is a bearer token', [{ apiKey: 'k-1' }], { authorization: 'Bearer k-1' }],
    ["uses the dialect's own header", [{ apiKey: 'k-1' }, 'x-api-key'], { 'x-api-key': 'k-1' }],
    [
      'uses the header that the server wants',
      [{ apiKey: 'k-1', quirks: { keyHeader: 'api-key' } }, 'x-api-key'],
      { 'api-key': 'k-1' },
    ],
    ['is not sent if missing', [{ quirks: { keyHeader: 'api-key' } }], {}],
    ['is not sent if empty', [{ apiKey: '' }, 'x-api-key'], {}],
  ])('%s', (_, [access, own], headers) => {
    expect(keyHeaders(access, own)).toEqual(headers)
  })
})
