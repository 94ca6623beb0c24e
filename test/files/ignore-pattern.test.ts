import { expect, it } from 'vitest'
import { readIgnorePatterns } from '../../src/files/ignore-pattern.ts'

it.each([
  ['*a*a*a*a*b', 'a'.repeat(200)],
  ['**/a/**/a/**/a/**/b', `${'a/'.repeat(400)}a`],
  ['*a/**/*a*a*a*a/**/*a*a*a*a*b', `${`${'a'.repeat(99)}/`.repeat(20)}a`],
  ['a*'.repeat(2_047), 'a'.repeat(200)],
])('a pattern of many wildcards is decided at once: %#', (pattern, path) => {
  const from = performance.now()
  expect(readIgnorePatterns(pattern).map(({ expression }) => expression.test(path))).toEqual([false])
  expect(performance.now() - from).toBeLessThan(1_000)
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
