import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonLines } from '../../src/http/json-lines.ts'
import type { ServerEvent } from '../../src/http/server-events.ts'
import { body } from '../support/models/playback.ts'

async function read(bytes: string, sizes: readonly number[] = []): Promise<(readonly ServerEvent[])[]> {
  const batches: (readonly ServerEvent[])[] = []
  for await (const batch of readJsonLines(body({ bytes, sizes }))) batches.push(batch)
  return batches
}

const cases: readonly [string, string, readonly ServerEvent[]][] = [
  ['LF', '{"a":1}\n{"b":2}\n', [{ data: '{"a":1}' }, { data: '{"b":2}' }]],
  ['CRLF', '{"a":1}\r\n{"b":2}\r\n', [{ data: '{"a":1}' }, { data: '{"b":2}' }]],
  ['a byte order mark', '\uFEFF{"a":1}\n', [{ data: '{"a":1}' }]],
  ['blank lines between', '\n{"a":1}\n \n\n{"b":2}\n', [{ data: '{"a":1}' }, { data: '{"b":2}' }]],
  ['characters of four bytes', '{"a":"世界🌍é"}\n', [{ data: '{"a":"世界🌍é"}' }]],
  ['an unfinished last line', '{"a":1}\n{"b":', [{ data: '{"a":1}' }, { data: '{"b":', unfinished: true }]],
  ['no line', '', []],
]

describe('lines of JSON', () => {
  it.each(cases)('reads a body with %s, whole and byte by byte', async (_, source, events) => {
    expect((await read(source)).flat()).toEqual(events)
    expect((await read(source, [1])).flat()).toEqual(events)
  })

  it('yields one batch per chunk', async () => {
    expect(await read('1\n2\n3\n4\n', [5, 1, 1, 1])).toEqual([
      [{ data: '1' }, { data: '2' }],
      [{ data: '3' }],
      [{ data: '4' }],
    ])
  })

  it('reads the same lines for any chunk sizes', async () => {
    const source = cases.map(([, text]) => text).join('\n')
    const whole = (await read(source)).flat()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), async (sizes) => {
        expect((await read(source, sizes)).flat()).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })
})
