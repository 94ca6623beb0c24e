import { expect, it } from 'vitest'
import { onlyOnce } from '../../src/records/only-once.ts'

it('each text is passed on once, in its order', () => {
  const told: string[] = []
  const tell = onlyOnce((text) => told.push(text))
  for (const text of ['a', 'b', 'a', '', 'b', '']) tell(text)
  expect(told).toEqual(['a', 'b', ''])
})
