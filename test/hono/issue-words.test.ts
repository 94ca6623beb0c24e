import { describe, expect, it } from 'vitest'
import { serveParts } from '../support/live/served.ts'

/** Returns the words that a client gets about its request. */
async function told(path: string, body: unknown) {
  const { call } = await serveParts()
  const { status, json } = await call('POST', path, body)
  return [status, json]
}

describe('a request that does not fit', () => {
  const [messages, commands] = ['/v1/sessions/1/messages', '/v1/sessions/1/commands']

  it.each([
    [messages, [], 'body', 'expected an object, not a list'],
    [messages, null, 'body', 'expected an object, not null'],
    [messages, { text: 5 }, 'text', 'expected a string, not a number'],
    [messages, { when: 'x' }, 'when', 'expected one of now, after'],
    [messages, { is_command: 1 }, 'is_command', 'expected a boolean, not a number'],
    [messages, { files: {} }, 'files', 'expected a list, not an object'],
    [messages, { files: [{ name: 'a' }] }, 'files.0.data', 'expected a string, but it is missing'],
    [messages, { files: [{ name: '', data: '' }] }, 'files.0.name', 'is empty'],
    [messages, { files: Array(21).fill({ name: 'a', data: '' }) }, 'files', 'expected at most 20 items'],
    [messages, { text: 'a', id: 'x' }, 'id', 'is not a UUID in lower case'],
    [messages, { txt: 'a' }, 'txt', 'is not a field of this request'],
    [commands, { type: 'respond' }, 'response', 'expected an object, but it is missing'],
    [
      commands,
      { type: 'respond', response: {} },
      'response.interaction_id',
      'expected a string, but it is missing',
    ],
    ['/v1/sessions/1/elves/e1/commands', {}, 'type', 'expected interrupt, but it is missing'],
    ['/v1/sessions/1/elves/e1/commands', { type: 'x' }, 'type', 'expected interrupt'],
  ])('is told its field and what was expected: %s %j', async (path, body, field, reason) => {
    expect(await told(path, body)).toEqual([
      400,
      { code: 'INVALID_REQUEST', message: `${field}: ${reason}`, details: { field, reason } },
    ])
  })

  const user = { role: 'user', content: 'a' }

  it.each([
    [{}, 'messages', 'expected a list, but it is missing'],
    [
      { messages: [{ role: 'x' }] },
      'messages.0.role',
      'expected one of system, developer, user, assistant, tool',
    ],
    [{ messages: [user], temperature: 9 }, 'temperature', 'expected at most 2'],
    [{ messages: [user], max_tokens: 0 }, 'max_tokens', 'expected at least 1'],
    [{ messages: [user], max_tokens: 1.5 }, 'max_tokens', 'expected a whole number'],
    [{ messages: [user], stop: 1 }, 'stop', 'expected a text, or a list of texts'],
  ])('is told so in the format of chat completions: %j', async (body, param, reason) => {
    expect(await told('/v1/chat/completions', body)).toEqual([
      400,
      {
        error: {
          message: `${param}: ${reason}`,
          type: 'invalid_request_error',
          param,
          code: 'invalid_request',
        },
      },
    ])
  })

  it.each([
    ['/v1/responses', { input: 5 }, 'input: expected a text, or a list of items'],
    ['/v1/responses', { input: [{}] }, 'input.0.type: expected a string, but it is missing'],
    ['/v1/responses', { input: [{ role: 'user', content: 1 }] }, /^input\.0\.content: expected a text/],
    ['/v1/messages', {}, 'model: expected a string, but it is missing'],
    ['/v1/messages', { model: 'a', messages: [user], system: 1 }, /^system: expected a text, or blocks/],
  ])('is told so by the APIs of others: %s %j', async (path, body, message) => {
    const [status, json] = await told(path, body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } })
  })
})
