import { expect, it } from 'vitest'
import { omitUndefined } from '../src/omit-undefined.ts'

it('drops undefined fields and keeps all others', () => {
  expect(omitUndefined({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({
    b: null,
    c: 0,
    d: '',
    e: false,
  })
})
