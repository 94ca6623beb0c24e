import { describe, expect, it } from 'vitest'
import { readFrame } from '../../../src/line/controlled/frame.ts'

const read = (frame: unknown) => readFrame(JSON.stringify(frame))
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const document = {
  type: 'document',
  title: 'a.pdf',
  source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
}

describe('a line of a program that drives pipe', () => {
  it('is a message with a text, or with blocks', () => {
    expect(read({ type: 'user', message: { content: 'go' }, uuid: 'u1', priority: 'now' })).toEqual({
      type: 'user',
      text: 'go',
      media: [],
      id: 'u1',
      isUrgent: true,
      isVerbatim: false,
    })
    const content = [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }, document]
    expect(read({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })).toEqual({
      type: 'user',
      text: 'a\n\nb',
      media: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'document', mimeType: 'application/pdf', data: 'AAAA', name: 'a.pdf' },
      ],
      isUrgent: false,
      isVerbatim: false,
    })
  })

  it('is a request, an answer or a refusal', () => {
    expect(read({ type: 'control_request', request_id: 'a', request: { subtype: 'interrupt' } })).toEqual({
      type: 'request',
      id: 'a',
      request: { subtype: 'interrupt' },
    })
    const response = { request_id: 'a', subtype: 'success', response: { behavior: 'allow' } }
    expect(read({ type: 'control_response', response })).toEqual({
      type: 'answer',
      id: 'a',
      answer: { behavior: 'allow' },
    })
    expect(
      read({ type: 'control_response', response: { request_id: 'a', subtype: 'error', error: 'no' } }),
    ).toEqual({ type: 'refusal', id: 'a', reason: 'no' })
    expect(read({ type: 'keep_alive' })).toEqual({ type: 'other' })
  })

  it.each([
    ['no JSON', '{', 'it is not a JSON object'],
    ['a list', '[]', 'it is not a JSON object'],
    ['no type', '{}', 'there is no type null: '],
    ['a request without an id', '{"type":"control_request"}', 'a control_request needs a request_id'],
    ['an answer to nothing', '{"type":"control_response"}', 'a control_response needs a response'],
  ])('is told what is wrong with %s', (_, line, reason) => {
    expect(readFrame(line)).toEqual({ type: 'bad', reason: expect.stringContaining(reason) })
  })

  it.each([
    ['no content', undefined, 'message.content of a user message must be '],
    ['a list of words', ['a'], 'a block of a user message must be an object'],
    [
      'an image at an address',
      [{ type: 'image', source: { type: 'url', url: 'http://x' } }],
      'of type "image": it takes text, and image or document in base64; pipe fetches no addresses',
    ],
  ])('is told in the result what is wrong with a message of %s', (_, content, reason) => {
    expect(read({ type: 'user', message: { role: 'user', content }, uuid: 'u1' })).toEqual({
      type: 'user',
      id: 'u1',
      text: '',
      media: [],
      isUrgent: false,
      isVerbatim: false,
      fault: expect.stringContaining(reason),
    })
  })

  it('may send a document that is text', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Four.' }
    const content = [
      { type: 'text', text: 'Check:' },
      { type: 'document', source },
    ]
    expect(read({ type: 'user', message: { content } })).toMatchObject({ text: 'Check:\n\nFour.', media: [] })
  })

  it('keeps the id of a request that cannot be read', () => {
    expect(read({ type: 'control_request', request_id: 'a', request: {} })).toEqual({
      type: 'bad',
      id: 'a',
      reason: 'a control_request needs a request with a subtype',
    })
  })
})
