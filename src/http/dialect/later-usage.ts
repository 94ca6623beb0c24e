import type { JsonObject } from '../../json-value.ts'

/** Returns the usage that counts of two in one reply: the later one, unless it is all zeros, which some servers send at the end. */
export function laterUsage(
  before: JsonObject | undefined,
  update: JsonObject | undefined,
): JsonObject | undefined {
  if (update === undefined) return before
  return before !== undefined && !hasCount(update) && hasCount(before) ? before : update
}

function hasCount(usage: JsonObject): boolean {
  return Object.values(usage).some((value) => typeof value === 'number' && value > 0)
}
