import { expect, it } from 'vitest'
import { present } from '../src/present.ts'

it('leaves out what is undefined and keeps every other value', () => {
  expect(present({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({
    b: null,
    c: 0,
    d: '',
    e: false,
  })
})
