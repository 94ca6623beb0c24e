import { expect, it } from 'vitest'
import { splitLines } from '../../../src/files/reading/split-lines.ts'

async function split(text: string, size: number, maxBytes?: number) {
  // One buffer for all chunks, as a reader of files has.
  const chunk = Buffer.alloc(size)
  async function* chunks() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size)
      yield chunk.subarray(0, bytes.copy(chunk, 0, at, at + size))
  }
  const lines = []
  for await (const { bytes, ...line } of splitLines(chunks(), maxBytes))
    lines.push({ ...line, text: String(bytes) })
  return lines
}

it.each([1, 2, 3, 100])('lines are the same however they are cut into chunks: %i bytes', async (size) => {
  expect(await split('one\n\nthree\nfour', size)).toEqual([
    { number: 1, start: 0, text: 'one', whole: true },
    { number: 2, start: 4, text: '', whole: true },
    { number: 3, start: 5, text: 'three', whole: true },
    { number: 4, start: 11, text: 'four', whole: false },
  ])
})

it.each([1, 2, 100])(
  'a line above the limit is cut, and the next ones are not moved: %i bytes',
  async (size) => {
    expect(await split('12345\n12\n1234567', size, 3)).toEqual([
      { number: 1, start: 0, text: '123', whole: true },
      { number: 2, start: 6, text: '12', whole: true },
      { number: 3, start: 9, text: '123', whole: false },
    ])
  },
)
