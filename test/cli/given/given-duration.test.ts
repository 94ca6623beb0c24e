import { expect, it } from 'vitest'
import { readDuration } from '../../../src/cli/given/given-duration.ts'

it.each([
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['1.5m', 90_000],
  ['250ms', 250],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['5', 5_000],
  ['0.5', 500],
])('reads %s as milliseconds', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})

it.each(['', '0', '0s', 'soon', '5 m', '5m!', '-5s', '5y', '.5'])('reads no duration in %j', (text) => {
  expect(readDuration(text)).toBeUndefined()
})
