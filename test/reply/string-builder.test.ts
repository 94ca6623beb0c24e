import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StringBuilder } from '../../src/reply/string-builder.ts'

it('joins its pieces in order, whenever it is read', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), fc.array(fc.string()), (begin, some, more) => {
      const text = new StringBuilder(begin)
      for (const piece of some) text.add(piece)
      expect(text.toString()).toBe(begin + some.join(''))
      for (const piece of more) text.add(piece)
      expect(text.toString()).toBe(begin + some.join('') + more.join(''))
    }),
  )
})

it('holds each of many pieces once', () => {
  const text = new StringBuilder()
  for (let i = 0; i < 5_000; i++) text.add(`${i} `)
  expect(text.toString()).toBe(Array.from({ length: 5_000 }, (_, i) => `${i} `).join(''))
})
