import type { JsonValue } from '../../src/json-value.ts'

/** A list in a list in a list, so many in all. */
export function nested(levels: number): JsonValue {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels))
}
