import { expect, it } from 'vitest'
import { present } from '../src/present.ts'

it('drops undefined fields and keeps all others', () => {
  expect(present({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({
    b: null,
    c: 0,
    d: '',
    e: false,
  })
})
