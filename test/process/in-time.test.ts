import { expect, it } from 'vitest'
import { inTime } from '../../src/process/in-time.ts'

it('returns what the work returns, also nothing', () => {
  expect(inTime(60_000, () => 'done')).toEqual({ result: 'done' })
  expect(inTime(60_000, () => undefined)).toEqual({ result: undefined })
})

it('ends a regular expression and a loop that would run for years', () => {
  expect(inTime(20, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`))).toBeUndefined()
  expect(
    inTime(20, () => {
      for (;;);
    }),
  ).toBeUndefined()
})

it('throws what the work throws', () => {
  expect(() => inTime(60_000, () => JSON.parse('{'))).toThrow(SyntaxError)
})
