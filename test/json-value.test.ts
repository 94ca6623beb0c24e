import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, parseJson } from '../src/json-value.ts'

const text = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('parseJson()', () => {
  it('parses every JSON value', () => {
    fc.assert(
      fc.property(fc.json(), (written) => {
        expect(parseJson(written)).toEqual(JSON.parse(written))
      }),
    )
  })

  it.each(['', '{', '{"a":1', 'undefined', "{'a':1}", '[1,]', '1 2'])('returns undefined for %j', (words) => {
    expect(parseJson(words)).toBeUndefined()
  })

  it.each([
    [500, true],
    [501, false],
    [100_000, false],
  ])('accepts JSON nested %d deep: %s', (levels, isSafe) => {
    expect(parseJson(text(levels)) !== undefined).toBe(isSafe)
  })
})

describe('isJsonObject()', () => {
  it('recognises only objects', () => {
    expect([{}, { a: 1 }, [], null, 'x', 1, true, undefined].map(isJsonObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
