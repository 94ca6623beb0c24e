import { expect, it } from 'vitest'
import { formatAge } from '../../../src/frontend/words/age.ts'

const minute = 60_000

it.each([
  [-5 * minute, 'now'],
  [59_999, 'now'],
  [minute, '1 min'],
  [59 * minute, '59 min'],
  [60 * minute, '1 h'],
  [25 * 60 * minute, '1 d'],
  [800 * 24 * 60 * minute, '2 y'],
])('an age of %i ms is %s', (ms, age) => {
  const now = Date.parse('2026-01-02T03:04:05.000Z')
  expect(formatAge(new Date(now - ms).toISOString(), now)).toBe(age)
})
