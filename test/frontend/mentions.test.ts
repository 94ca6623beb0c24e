import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mentionOf, mentions } from '../../src/frontend/mentions.ts'

it.each([
  'a.ts',
  'my notes.md',
  "it's",
  'q"x',
  `it's "q"`,
  'a\\b',
  'a\\"b',
  'par(1)',
  'Shot 5.00\u202fPM.png',
  'a!',
])('a mention of %s is read back', (path) => {
  expect(mentions(`see ${mentionOf(path)} and`)).toEqual([path])
})

it('a mention of any path in one line is read back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab./\\"\' ()[]!,を\u00a0\u202f-'), minLength: 1, maxLength: 12 }),
      (path) => {
        expect(mentions(`see ${mentionOf(path)} and`)).toContain(path)
      },
    ),
  )
})

it('many backslashes in a quote that stays open cost little', () => {
  expect(mentions(`@"${'\\'.repeat(5_000)}`)).toHaveLength(1)
})
