import { describe, expect, it } from 'vitest'
import type { AnswerPart } from '../../../src/hono/chat/answer.ts'
import { responsesBodySchema } from '../../../src/hono/responses/body.ts'
import { responsesFormat } from '../../../src/hono/responses/encode.ts'

/** Encodes parts of a stream. Returns the format and the events, parsed. */
function encode(parts: readonly AnswerPart[]) {
  let count = 0
  const body = responsesBodySchema.parse({ input: 'hi' })
  const format = responsesFormat(
    { id: 'resp_1', created: 1, model: 'm', body },
    { newId: (prefix) => `${prefix}_${++count}`, custom: new Set(['patch']) },
  )
  return { format, events: parts.flatMap((part) => format.part(part)).map(({ data }) => JSON.parse(data)) }
}

const call = (index: number, name: string): AnswerPart => ({
  type: 'call_begin',
  index,
  id: `call_${index}`,
  name,
})
const piece = (index: number, delta: string): AnswerPart => ({ type: 'call_delta', index, delta })

describe('a streamed response', () => {
  it('keeps the pieces of calls that alternate apart, and the order in which they began', () => {
    const { events } = encode([
      { type: 'begin' },
      call(0, 'add'),
      call(1, 'patch'),
      piece(0, '{"a"'),
      piece(1, '{"input":"*** '),
      piece(0, ':1}'),
      piece(1, 'End"}'),
      {
        type: 'end',
        end: { stopReason: 'tool_use', usage: { inputTokens: 1, outputTokens: 2 }, message: undefined },
      },
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [
          { type: 'function_call', call_id: 'call_0', arguments: '{"a":1}' },
          { type: 'custom_tool_call', call_id: 'call_1', input: '*** End' },
        ],
      },
    })
  })

  it('names what is finished where it breaks off', () => {
    const { format } = encode([
      { type: 'begin' },
      call(0, 'add'),
      { type: 'text', text: 'Hm.' },
      call(1, 'add'),
    ])
    const { data } = format.failure({ status: 429, code: 'RATE_LIMITED', message: 'slow down' })
    expect(JSON.parse(data)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'slow down' },
        output: [{ type: 'message', content: [{ text: 'Hm.' }] }],
      },
    })
  })
})
