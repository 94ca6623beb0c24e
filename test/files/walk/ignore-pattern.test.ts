import { expect, it } from 'vitest'
import { type IgnorePattern, readIgnorePatterns } from '../../../src/files/walk/ignore-pattern.ts'
import { growth } from '../../support/cost.ts'

it.each([
  ['*a*a*a*a*b', (size: number) => 'a'.repeat(size)],
  ['**/a/**/a/**/a/**/b', (size: number) => `${'a/'.repeat(2 * size)}a`],
  ['*a/**/*a*a*a*a/**/*a*a*a*a*b', (size: number) => `${`${'a'.repeat(99)}/`.repeat(size / 10)}a`],
  ['a*'.repeat(2_047), (size: number) => 'a'.repeat(size)],
])('decides a pattern of many wildcards without trying every way: %#', async (pattern, path) => {
  const decide = (size: number) => readIgnorePatterns(pattern).map(({ matches }) => matches(path(size)))
  expect(decide(200)).toEqual([false])
  expect(await growth(decide, 400)).toBeLessThan(1_000)
})

it('skips a line longer than any path, however long it would take to read', () => {
  const lines = ['a'.repeat(4_096), 'a*'.repeat(50_000), '**/a/'.repeat(20_000), 'a'.repeat(20_000_000)]
  const [only, ...more] = readIgnorePatterns(lines.join('\n'))
  expect([only?.matches('a'.repeat(4_096)), more]).toEqual([true, []])
})

it('reads a range beyond 16 bits, and only the start of a backward one', () => {
  const [forwards, backwards] = readIgnorePatterns('[\ufb01-😀]\n[😀-\ufb01]')
  const taken = (pattern?: IgnorePattern) => ['\ufb01', '\uffff', '😀'].filter((one) => pattern?.matches(one))
  expect(taken(forwards)).toEqual(['\ufb01', '\uffff', '😀'])
  expect(taken(backwards)).toEqual(['😀'])
})
