import type { JsonValue } from '../../src/json-value.ts'

/** Nests this many lists. */
export function nested(levels: number): JsonValue {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels))
}
