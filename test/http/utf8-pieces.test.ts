import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Utf8Pieces } from '../../src/http/utf8-pieces.ts'
import { codePoint } from '../support/messages/code-point.ts'

function decoded(bytes: Uint8Array, size: number): string {
  const pieces = new Utf8Pieces()
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += pieces.decode(bytes.subarray(at, at + size))
  return text + pieces.end()
}

it('decodes any text as a `TextDecoder` does, whatever its pieces', async () => {
  const given = fc.tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.string({ unit: codePoint }),
    fc.integer({ min: 1, max: 9 }),
  )
  await fc.assert(
    fc.asyncProperty(given, async ([mark, text, size]) => {
      const bytes = Buffer.from(mark + text)
      expect(decoded(bytes, size)).toBe(new TextDecoder().decode(bytes))
    }),
  )
})

it('replaces bytes that are no text, and a character that was cut', () => {
  expect(decoded(Buffer.from([0x61, 0xff, 0x62, 0xe4, 0xb8]), 2)).toBe('a\uFFFDb\uFFFD')
})
