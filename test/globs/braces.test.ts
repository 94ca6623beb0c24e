import { expect, it } from 'vitest'
import { expandBraces } from '../../src/globs/braces.ts'

it.each([
  ['a{b,c}d', ['abd', 'acd']],
  ['{a, b{c,d}}{,x}', ['a', 'ax', 'bc', 'bcx', 'bd', 'bdx']],
  ['\\{a,b}{e}{', ['\\{a,b}{e}{']],
  ['{x,$'.concat('{a,b}}'), ['x', '$'.concat('{a,b}')]],
  ['{{a},[b,c]}', ['{a}', '[b,c]']],
  ['{1..3}{c..a}', ['1c', '1b', '1a', '2c', '2b', '2a', '3c', '3b', '3a']],
  ['{08..10}{-1..1..2}', ['08-1', '081', '09-1', '091', '10-1', '101']],
  ['{1..a}{..}', ['{1..a}{..}']],
])('expands %s', (text, expected) => {
  expect(expandBraces(text, { most: 10, ranges: true })).toEqual(expected)
})

it('takes ranges for text unless asked to expand them', () => {
  expect(expandBraces('{1..3}{a,b}', { most: 2 })).toEqual(['{1..3}a', '{1..3}b'])
})

it.each(['{a,b,c,d}', '{a,b}{c,d}', '{1..999999999999}'])('gives up on more alternatives: %s', (text) => {
  expect(expandBraces(text, { most: 3, ranges: true })).toBeUndefined()
})
