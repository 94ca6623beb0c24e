import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import { frameOf, MessageFrames } from '../../src/lsp/message-frames.ts'

function read(bytes: Uint8Array, size: number) {
  const messages: JsonObject[] = []
  const frames = new MessageFrames((message) => messages.push(message))
  for (let i = 0; i < bytes.length; i += size)
    if (!frames.push(bytes.subarray(i, i + size))) return { messages, isBroken: true }
  return { messages, isBroken: false }
}

describe('frames of messages', () => {
  const sent = [{ id: 1, text: 'größe ☃' }, { id: 2, list: [1, 'a\r\n\r\nb'] }, { id: 3 }]
  const bytes = Buffer.from(sent.map(frameOf).join(''))

  it.each([1, 2, 7, 64, 1_000])('are read from pieces of %d bytes', (size) => {
    expect(read(bytes, size)).toEqual({ messages: sent, isBroken: false })
  })

  it('may name more than the length, in any case', () => {
    const text = '{"id":1}'
    const frame = `content-type: utf-8\r\ncontent-length: ${text.length}\r\n\r\n${text}`
    expect(read(Buffer.from(frame), 5).messages).toEqual([{ id: 1 }])
  })

  it('leave out what is no object', () => {
    const frames = ['[1]', 'nonsense', '{"id":1}'].map(
      (text) => `Content-Length: ${text.length}\r\n\r\n${text}`,
    )
    expect(read(Buffer.from(frames.join('')), 9)).toEqual({ messages: [{ id: 1 }], isBroken: false })
  })

  it.each([
    ['no length', 'Content-Type: x\r\n\r\n{}'],
    ['a length above the limit', 'Content-Length: 99999999\r\n\r\n'],
    ['no header at all', 'x'.repeat(5_000)],
  ])('cannot be read with %s', (_, text) => {
    expect(read(Buffer.from(text), 1_000).isBroken).toBe(true)
  })
})
