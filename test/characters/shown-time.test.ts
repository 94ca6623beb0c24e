import { expect, it } from 'vitest'
import { minuteOf, secondOf } from '../../src/characters/shown-time.ts'

it('a time is shown to the minute or the second', () => {
  expect(minuteOf('2026-02-18T12:00:05.250Z')).toBe('2026-02-18 12:00')
  expect(secondOf('2026-02-18T12:00:05.250Z')).toBe('2026-02-18 12:00:05')
})
