import { describe, expect, it } from 'vitest'
import { responseError } from '../../../../src/http/dialect/errors/reported-error.ts'

const asked = {
  provider: 'mine',
  model: 'm-1',
  url: 'http://models.example/v1/chat/completions',
  apiKey: 'k',
}

/** Returns the error of a 403 with this body. */
function forbidden(body: string, more: { readonly via?: string } = {}) {
  const response = { status: 403, headers: {}, body: (async function* () {})() }
  return responseError(response, body, { ...asked, ...more }, 0)
}

const said = (message: string) => JSON.stringify({ error: { message } })

describe('a 403', () => {
  it.each([
    ['', 'auth', 'mine did not accept the API key (403): no reason given'],
    [said('Forbidden'), 'auth', 'mine did not accept the API key (403): Forbidden'],
    [said('Invalid API key for this model'), 'auth', expect.stringContaining('the API key')],
    [
      '<html><title>Access denied</title></html>',
      'protocol',
      'a proxy or firewall in front of http://models.example/v1/chat/completions refused the request, not the key (403): a web page, "Access denied"',
    ],
    [
      said('Your input was flagged by moderation'),
      'refused',
      'mine refused the content of the request (403): Your input was flagged by moderation',
    ],
    [
      said('Project does not have access to model m-1'),
      'not_found',
      'this key of mine may not use the model "m-1" (403): Project does not have access to model m-1',
    ],
    [said('Rate limit exceeded'), 'rate_limited', 'mine limits the request rate (403): Rate limit exceeded'],
    [
      said('Country, region, or territory not supported'),
      'config',
      'mine does not serve this part of the world (403): Country, region, or territory not supported',
    ],
    [said('insufficient credits'), 'rate_limited', expect.stringContaining('has no credit left')],
  ])('with %s is %s', (body, code, message) => {
    expect(forbidden(body)).toMatchObject({ code, message, details: { status: '403' } })
  })

  it('with a web page through a proxy is that of the proxy', () => {
    const via = 'proxy http://10.0.0.1:3128 (HTTP_PROXY)'
    const error = forbidden('<html><title>Blocked</title>', { via })
    expect(error.message).toBe(`${via} refused to pass the request on (403): a web page, "Blocked"`)
    expect([error.code, error.details['should_retry']]).toEqual(['network', 'false'])
  })
})
