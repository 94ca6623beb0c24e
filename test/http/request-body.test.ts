import { describe, expect, it } from 'vitest'
import { peek, readBodyText } from '../../src/http/request-body.ts'

/** A body that records its end. */
function body(...chunks: readonly (string | number[])[]) {
  const state = { ended: false }
  async function* generate() {
    try {
      for (const chunk of chunks)
        yield typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk)
    } finally {
      state.ended = true
    }
  }
  return { state, bytes: generate() }
}

describe('the text of a body', () => {
  it('joins the chunks, including split characters', async () => {
    expect(await readBodyText(body('a', [0xc3], [0xa9], 'b').bytes, 100)).toBe('aéb')
  })

  it('stops at its limit and ends the body', async () => {
    const { state, bytes } = body('abc', 'def', 'ghi')
    expect(await readBodyText(bytes, 4)).toBe('abcd')
    expect(state.ended).toBe(true)
  })
})

describe('the first visible part of a body', () => {
  it.each([
    ['<html>', ['<html>', 'more'], '<html>more'],
    ['{"a":1}', [' \n', '\t{"a":1}'], '\t{"a":1}'],
    ['data: x', [[0xef], [0xbb], [0xbf], 'data: x'], 'data: x'],
    ['', [], ''],
    ['', [' ', '\n'], ''],
    ['x'.repeat(1_024), ['x'.repeat(3_000)], 'x'.repeat(3_000)],
  ])('is %j in %j, and loses only leading blank chunks', async (start, chunks, whole) => {
    const { state, bytes } = body(...chunks)
    const peeked = await peek(bytes)
    expect(peeked.start).toBe(start)
    expect(await readBodyText(peeked.body, 5_000)).toBe(whole)
    expect(state.ended).toBe(true)
  })

  it('ends the body when its reader leaves', async () => {
    const { state, bytes } = body('a', 'b', 'c')
    for await (const _ of (await peek(bytes)).body) break
    expect(state.ended).toBe(true)
  })
})
