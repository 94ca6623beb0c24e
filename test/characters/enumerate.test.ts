import { expect, it } from 'vitest'
import { enumerate } from '../../src/characters/enumerate.ts'

it('the first names are listed, and the others counted', () => {
  expect(enumerate([], 2)).toBe('')
  expect(enumerate(['a', 'b'], 2)).toBe('a, b')
  expect(enumerate(['a', 'b', 'c', 'd', 'e'], 2)).toBe('a, b and 3 more')
  expect(enumerate(['a', 'b', 'c'], 2, '; ')).toBe('a; b and 1 more')
})
