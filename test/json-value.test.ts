import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, parseJson } from '../src/json-value.ts'

describe('parseJson()', () => {
  it('reads all that JSON can say', () => {
    fc.assert(
      fc.property(fc.json(), (written) => {
        expect(parseJson(written)).toEqual(JSON.parse(written))
      }),
    )
  })

  it.each(['', '{', '{"a":1', 'undefined', "{'a':1}", '[1,]', '1 2'])('answers undefined for %j', (words) => {
    expect(parseJson(words)).toBeUndefined()
  })
})

describe('isJsonObject()', () => {
  it('tells an object from all else', () => {
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
