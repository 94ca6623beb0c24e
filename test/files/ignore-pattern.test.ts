import { expect, it } from 'vitest'
import { readIgnorePatterns } from '../../src/files/ignore-pattern.ts'
import { growth } from '../support/cost.ts'

it.each([
  ['*a*a*a*a*b', (size: number) => 'a'.repeat(size)],
  ['**/a/**/a/**/a/**/b', (size: number) => `${'a/'.repeat(2 * size)}a`],
  ['*a/**/*a*a*a*a/**/*a*a*a*a*b', (size: number) => `${`${'a'.repeat(99)}/`.repeat(size / 10)}a`],
  ['a*'.repeat(2_047), (size: number) => 'a'.repeat(size)],
])('a pattern of many wildcards is decided without trying every way: %#', async (pattern, path) => {
  const decide = (size: number) =>
    readIgnorePatterns(pattern).map(({ expression }) => expression.test(path(size)))
  expect(decide(200)).toEqual([false])
  expect(await growth(decide, 400)).toBeLessThan(1_000)
})

it('a line that is longer than any path is left out, whatever it would take to read it', () => {
  const lines = ['a'.repeat(4_096), 'a*'.repeat(50_000), '**/a/'.repeat(20_000), 'a'.repeat(20_000_000)]
  const [only, ...more] = readIgnorePatterns(lines.join('\n'))
  expect([only?.expression.test('a'.repeat(4_096)), more]).toEqual([true, []])
})

it('a range of characters beyond 16 bits is one, forwards; backwards it is its beginning', () => {
  const [forwards, backwards] = readIgnorePatterns('[\ufb01-😀]\n[😀-\ufb01]')
  const taken = (expression?: RegExp) => ['\ufb01', '\uffff', '😀'].filter((one) => expression?.test(one))
  expect(taken(forwards?.expression)).toEqual(['\ufb01', '\uffff', '😀'])
  expect(taken(backwards?.expression)).toEqual(['😀'])
})
