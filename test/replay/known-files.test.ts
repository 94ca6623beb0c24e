import { expect, it } from 'vitest'
import { filesBefore } from '../../src/replay/known-files.ts'

const saved = (before: string, after?: string) => ({
  saved: { before, ...(after === undefined ? {} : { after }) },
  changed: true,
})
const still = { saved: undefined, changed: false }
const lost = { saved: undefined, changed: true }

it.each([
  ['its own checkpoint', [saved('a', 'b'), saved('b', 'c')], 1, 'b'],
  ['the end of the last turn that changed some', [saved('a', 'b'), still], 2, 'b'],
  ['the next checkpoint, if nothing changed before', [still, saved('a', 'b')], 0, 'a'],
  ['nothing, if a turn before was cut short', [saved('a'), still], 1, undefined],
  ['nothing, if a change is not saved', [saved('a', 'b'), lost, saved('c', 'd')], 2, 'c'],
  ['nothing, if the change itself is not saved', [saved('a', 'b'), lost, still], 2, undefined],
  ['nothing without checkpoints', [still, still], 0, undefined],
])('the files before a turn are known from %s', (_, turns, at, expected) => {
  expect(filesBefore(turns, at)).toBe(expected)
})
