import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonLines } from '../../src/http/json-lines.ts'
import { readServerEvents, type ServerEvent } from '../../src/http/server-events.ts'
import { body } from '../support/models/playback.ts'
import { thrown } from '../support/thrown.ts'

async function read(bytes: string, sizes: readonly number[] = []): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const batch of readServerEvents(body({ bytes, sizes }))) events.push(...batch)
  return events
}

const cases: readonly [string, string, readonly ServerEvent[]][] = [
  ['events with LF', 'data: a\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
  ['events with CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
  ['names', 'event: error\ndata: {}\n\ndata: b\n\n', [{ event: 'error', data: '{}' }, { data: 'b' }]],
  ['a byte order mark', '\uFEFFdata: a\n\n', [{ data: 'a' }]],
  ['comments', ': ping\n\n: ping\n\ndata: a\n\n', [{ data: 'a' }]],
  ['data of several lines', 'data: a\ndata: b\n\n', [{ data: 'a\nb' }]],
  [
    'events that one LF divides',
    'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n\n',
    [{ data: '{"a":1}' }, { data: '{"b":2}' }, { data: '[DONE]' }],
  ],
  ['an object of several lines', 'data: {\ndata: "a":1}\n\n', [{ data: '{\n"a":1}' }]],
  ['data without a space', 'data:a\n\n', [{ data: 'a' }]],
  ['characters of four bytes', 'data: 世界🌍é\n\n', [{ data: '世界🌍é' }]],
  ['ids, retries and unknown fields', 'id: 1\nretry: 5\nfoo: bar\ndata: a\n\n', [{ id: '1', data: 'a' }]],
  [
    'a last event without its blank line',
    'data: a\n\ndata: b\n',
    [{ data: 'a' }, { data: 'b', unfinished: true }],
  ],
  ['a last line without its end', 'data: a\n\ndata: b', [{ data: 'a' }, { data: 'b', unfinished: true }]],
  ['nothing', '', []],
  [
    'JSON that follows the events',
    'data: a\n\n{\n  "error": {\r\n    "code": 503\n  }\n}\n',
    [{ data: 'a' }, { data: '{\n  "error": {\n    "code": 503\n  }\n}', unfinished: true }],
  ],
  ['JSON that is cut after the events', 'data: a\n\n{\n"error": {\n', [{ data: 'a' }]],
]

describe('server-sent events', () => {
  it.each(cases)('reads %s, whole and byte by byte', async (_, source, events) => {
    expect(await read(source)).toEqual(events)
    expect(await read(source, [1])).toEqual(events)
  })

  it('reads the same events for any chunk sizes', async () => {
    const source = cases.map(([, text]) => text.trimEnd()).join('\r\n\r\n')
    const whole = await read(source)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), async (sizes) => {
        expect(await read(source, sizes)).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })
})

describe.each([
  ['server-sent events', readServerEvents],
  ['lines of JSON', readJsonLines],
])('%s', (_, read) => {
  it('refuses an endless event', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1024 * 1024, 'x')
    }
    const error = await thrown(async () => {
      for await (const _ of read(endless()));
    })
    expect(error).toMatchObject({
      code: 'protocol',
      message: 'the server sent an event of more than 16777216 characters',
    })
  })

  it('ends the body when its reader leaves', async () => {
    let ended = false
    async function* body() {
      try {
        for (;;) yield Buffer.from('data: {}\n\n')
      } finally {
        ended = true
      }
    }
    for await (const _ of read(body())) break
    expect(ended).toBe(true)
  })
})
