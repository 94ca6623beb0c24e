import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { HttpRequest } from '../../../src/machine/transport.ts'
import { assistant, call, text, toolResult, user } from '../../support/messages/messages.ts'
import { ask, failure, pull } from '../../support/models/asking.ts'
import { player } from '../../support/models/playback.ts'
import { wires } from '../../support/models/wires.ts'

describe.each(wires)('a provider that speaks $dialect', (wire) => {
  const play = player(wire.connect, { name: 'it', baseUrl: 'https://api.example.com/v1' })
  const events = wire.events([text('Half')])
  const begun = events.slice(0, -1 - wire.spare).join('')
  const [last = ''] = events.slice(-1 - wire.spare)
  const reset = new PipeError('network', 'reset')

  it.each([
    ['between two events', begun],
    ['in an event', begun + last.trimEnd().slice(0, -2)],
  ])('reports a reply that is cut %s, and keeps its beginning', async (_, bytes) => {
    const { reply, error } = await pull(play({ bytes }))
    expect(error).toMatchObject({ code: 'network', message: 'the reply of it was cut off' })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it('reports a reply that is cut before its first byte', async () => {
    expect(await failure(play({ bytes: '' }))).toMatchObject({
      code: 'network',
      message: 'the reply of it was cut off',
    })
  })

  it('passes on the error of the connection', async () => {
    expect(await failure(play({ bytes: begun, failure: reset }))).toBe(reset)
  })

  it('accepts a reply without its last line break', async () => {
    const bytes = events.join('').trimEnd()
    expect(await ask(play({ bytes }))).toMatchObject({ content: [text('Half')], stopReason: 'end_turn' })
  })

  const address = /^it answered https:\/\/api\.example\.com\S+ with /
  const advice = ' instead of a reply; the base URL is probably wrong'

  it.each([
    ['\n<!doctype html><html>', 'a web page'],
    ['<html><head><TITLE lang="en">\n Sign in &amp; pay &#33; </TITLE>', 'a web page, "Sign in & pay !"'],
    [`<title>${'x'.repeat(200)}</title>`, `a web page, "${'x'.repeat(99)}…"`],
  ])('reports a web page and its title: %s', async (bytes, what) => {
    for (const sizes of [[bytes.length], [5]]) {
      const error = await failure(play({ bytes, sizes }))
      expect(error).toMatchObject({ code: 'protocol', message: expect.stringMatching(address) })
      expect(String(error)).toContain(`with ${what}${advice}`)
    }
  })

  it.each([
    ['text/plain; charset=utf-8', 'Hello, world', 'text/plain (Hello, world)'],
    ['text/html', 'Please log in', 'text/html (Please log in)'],
    ['image/png', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['application/octet-stream', 'abc', 'application/octet-stream'],
    ['text/html', '', 'an empty body (text/html)'],
  ])('describes an answer that is not a stream, %s: %s', async (type, bytes, what) => {
    const error = await failure(play({ bytes, headers: { 'content-type': type } }))
    expect(error).toMatchObject({ code: 'protocol', message: expect.stringMatching(address) })
    expect(String(error)).toContain(`with ${what}${advice}`)
  })

  it.skipIf(wire.dialect === 'ollama')('describes JSON that is not an object', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const bytes of ['null', '"ok"', 'OK'])
      expect(await failure(play({ bytes, headers }))).toMatchObject({
        code: 'protocol',
        message: expect.stringContaining(`with application/json (${bytes})${advice}`),
      })
  })

  it('reads a reply with any content type', async () => {
    for (const type of ['text/plain', 'text/html', 'application/octet-stream']) {
      const reply = ask(play({ bytes: events.join(''), headers: { 'content-type': type } }))
      expect(await reply).toMatchObject({ content: [text('Half')], stopReason: 'end_turn' })
    }
  })

  it('reports the target of a redirect without secrets', async () => {
    const headers = { location: 'https://user:pw@other.example/v2/chat?key=1' }
    const error = await failure(play({ bytes: '', status: 307, headers }))
    expect(error).toMatchObject({
      code: 'protocol',
      message: expect.stringMatching(
        /^it answered https:\S+ with a redirect \(307\) to https:\/\/other\.example\/v2\/chat, which pipe does not follow/,
      ),
      details: { status: '307', location: 'https://other.example/v2/chat' },
    })
    expect(await failure(play({ bytes: '', status: 302 }))).toMatchObject({
      message: expect.stringMatching(
        /redirect \(302\) without a location, which pipe does not follow.*; check the base URL$/,
      ),
    })
  })

  it('reports a failed gateway as overloaded, with the title of its page', async () => {
    const bytes = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
    expect(await failure(play({ bytes, status: 502 }))).toMatchObject({
      code: 'overloaded',
      message: 'it failed (502): a web page, "502 Bad Gateway"',
    })
  })

  it.each([500, 200])('reports unsupported input as an invalid request, %i', async (status) => {
    const message = 'image input is not supported - hint: you may need to provide the mmproj'
    const bytes = JSON.stringify({ error: { code: 500, message, type: 'server_error' } })
    expect(await failure(play({ bytes, status }))).toMatchObject({
      code: 'invalid',
      message: `it refused the request (500): ${message}`,
    })
  })

  it.each(['hello', '1', '[1]'])('reports an event that is not a JSON object: %s', async (data) => {
    const bytes = begun + wire.frame(0).replace('0', data)
    expect(await failure(play({ bytes }))).toMatchObject({
      code: 'network',
      message: `it sent an event that is not a JSON object: ${data}`,
    })
  })

  it('reports an error with status 200', async () => {
    expect(await failure(play({ bytes: JSON.stringify(wire.busy) }))).toMatchObject({ code: 'overloaded' })
  })

  it('keeps the headers of a failing answer in the details', async () => {
    const headers = { 'retry-after': '3', 'x-should-retry': 'true', 'x-request-id': 'req_1' }
    expect(await failure(play({ status: 429, bytes: '', headers }))).toMatchObject({
      details: { status: '429', retry_after_ms: '3000', should_retry: 'true', request_id: 'req_1' },
    })
  })

  it('sends back made-up tool names in a form that servers accept', async () => {
    const sent: HttpRequest[] = []
    const result = { ...toolResult('a', text('1')), toolName: 'functions.glob<|x|>' }
    const messages = [user(text('a')), assistant(call('a', 'functions.glob<|x|>')), result]
    await ask(play({ bytes: events.join('') }, { sent }), { messages })
    const [{ body = '' } = {}] = sent
    expect(body).toContain('"functions_glob_x_"')
    expect(body).not.toContain('functions.glob')
  })

  it.each([
    ['{"message":"It broke","type":"InternalServerError","code":500}', 'it failed (500): It broke'],
    ['{"detail":"It broke"}', 'it failed: It broke'],
  ])('reports the bare error %s', async (data, message) => {
    const bytes = begun + wire.frame(0).replace('0', data)
    expect(await failure(play({ bytes }))).toMatchObject({ code: 'overloaded', message })
  })

  it.each([
    ['Please try again in 1.8s.', '1800'],
    ['Please try again in 1500ms. Visit https://example.com', '1500'],
    ['try again in 20 seconds', '20000'],
    ['Please try again in 1m2.5s', '62500'],
    ['Please retry after 500 milliseconds', '500'],
    ['Please try again in a while', undefined],
  ])('reads the wait from the words of a rate limit: %s', async (message, wait) => {
    const bytes = JSON.stringify({ error: { message } })
    const { retry_after_ms } = Object(await failure(play({ status: 429, bytes }))).details
    expect(retry_after_ms).toBe(wait)
    const headers = { 'retry-after': '3' }
    expect(await failure(play({ status: 429, bytes, headers }))).toHaveProperty(
      'details.retry_after_ms',
      '3000',
    )
  })

  it('never shows the key', async () => {
    const bytes = JSON.stringify({ error: { message: 'sk-secret is wrong' } })
    const error = await failure(play({ status: 401, bytes }, { apiKey: 'sk-secret' }))
    expect(String(error)).toContain('it did not accept the API key (401): [key] is wrong')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})
