import { createNewId, type NewId } from '../../src/id.ts'
import { now } from './messages.ts'

/** Ids that count: the same ones in the same order every time. */
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

/** Ids that count and are none of those of `countingIds`, for a second source of them. */
export function otherIds(): NewId {
  let count = 0
  return createNewId(
    (bytes) => new Uint8Array(bytes).fill(++count % 256, bytes - 2, bytes - 1),
    () => now,
  )
}
