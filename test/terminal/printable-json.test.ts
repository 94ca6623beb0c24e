import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printable } from '../../src/terminal/printable.ts'
import { printableJson } from '../../src/terminal/printable-json.ts'

it('what would act on a terminal is escaped, in names and in values', () => {
  expect(printableJson({ 'a\u009b': ['\u001b[2J\u202e\u{e0041}\u007f', 'é👩‍💻'] })).toBe(
    '{"a\\u009b":["\\u001b[2J\\u202e\\udb40\\udc41\\u007f","é👩‍💻"]}',
  )
})

it('a program reads the value as it is, and a terminal shows each character of it', () => {
  const words = fc.string({ unit: 'binary', maxLength: 20 })
  fc.assert(
    fc.property(fc.dictionary(words, words), (value) => {
      const text = printableJson(value)
      expect([JSON.parse(text), printable(text)]).toEqual([value, text])
    }),
    { numRuns: 50 },
  )
})
