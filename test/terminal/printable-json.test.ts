import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printable } from '../../src/terminal/printable.ts'
import { printableJson } from '../../src/terminal/printable-json.ts'
import { codePoint } from '../support/messages/code-point.ts'

it('escapes what would act on a terminal, in names and in values', () => {
  expect(printableJson({ 'a\u009b': ['\u001b[2J\u202e\u{e0041}\u007f', 'é👩‍💻'] })).toBe(
    '{"a\\u009b":["\\u001b[2J\\u202e\\udb40\\udc41\\u007f","é👩‍💻"]}',
  )
})

it('keeps the value for a program, and shows each of its characters on a terminal', () => {
  const words = fc.string({ unit: codePoint, maxLength: 20 })
  fc.assert(
    fc.property(fc.dictionary(words, words), (value) => {
      const text = printableJson(value)
      expect([JSON.parse(text), printable(text)]).toEqual([value, text])
    }),
    { numRuns: 50 },
  )
})
