import { createNewId, type NewId } from '../../../src/id.ts'
import { now } from './messages.ts'

/** Ids that count up, the same in every run. */
export function countingIds(): NewId {
  let count = 0
  return createNewId(
    (bytes) => {
      count++
      return new Uint8Array(bytes).fill(count % 256, bytes - 1)
    },
    () => now,
  )
}

/** Ids that count up and differ from those of `countingIds`, as a second source. */
export function otherIds(): NewId {
  let count = 0
  return createNewId(
    (bytes) => new Uint8Array(bytes).fill(++count % 256, bytes - 2, bytes - 1),
    () => now,
  )
}
