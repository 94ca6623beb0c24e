import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addReplyText,
  addThought,
  noReply,
  type PageReply,
} from '../../../src/hono/page/session/reply-segments.ts'

const markdown = 'One.\n\nTwo\nlines.\n\n```ts\nconst a = 1\n\nconst b = 2\n```\nThree.\n'

function segmentsOf({ closed, open }: PageReply) {
  return [...closed, ...(open === undefined ? [] : [open])]
}

function written(pieces: readonly string[]): PageReply {
  return pieces.reduce((reply, piece) => addReplyText(reply, piece, 'b'), noReply)
}

const parts = ['a', 'b c', '\n', '\n\n', '```', '```ts\n', '~~~\n', '- ']

describe('a reply that is being written', () => {
  it('is divided between its paragraphs, and never within its code', () => {
    expect(segmentsOf(written([markdown])).map(({ type, text }) => [type, text])).toEqual([
      ['prose', 'One.\n\n'],
      ['prose', 'Two\nlines.\n\n'],
      ['code', '```ts\nconst a = 1\n\nconst b = 2\n```\n'],
      ['prose', 'Three.\n'],
    ])
  })

  it('is divided in the same way however it arrives, and loses no character', () => {
    const pieces = fc.array(fc.constantFrom(...parts), { minLength: 1 })
    fc.assert(
      fc.property(pieces, (all) => {
        const whole = segmentsOf(written([all.join('')]))
        expect(segmentsOf(written(all))).toEqual(whole)
        expect(whole.map(({ text }) => text).join('')).toBe(all.join(''))
      }),
    )
  })

  it('has an open segment of bounded length, in a long block of code and in a line without end', () => {
    const code = written(['```\n', ...Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`)])
    expect(code.open?.text.length).toBeLessThan(4_100)
    expect(code.closed.slice(1).every(({ type, isContinued }) => type === 'code' && isContinued)).toBe(true)
    const line = written(Array.from({ length: 2_000 }, () => 'ten chars '))
    expect(line.open?.text.length).toBeLessThan(4_100)
  })

  it('leaves closed segments as they are while the open one grows', () => {
    const before = written(['One.\n\nTw'])
    const after = addReplyText(before, 'o', 'b')
    expect(after.closed).toBe(before.closed)
  })

  it('keeps the end of a thought, before the text that follows it', () => {
    const thought = addThought(addThought(noReply, 'a'.repeat(5_000), 't'), 'b', 't')
    const said = addReplyText(thought, 'Hello', 'b')
    expect(segmentsOf(said).map(({ type, text }) => [type, text.length])).toEqual([
      ['thinking', 4_000],
      ['prose', 5],
    ])
  })
})
