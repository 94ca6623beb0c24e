import type { JsonObject } from '../../../json-value.ts'

/** Returns the hooks of a file as they run in an elf, where the end of a turn is that of the elf. */
export function hooksOfElf(hooks: JsonObject): JsonObject {
  const { Stop: stop, ...others } = hooks
  if (stop === undefined) return hooks
  return { ...others, SubagentStop: [stop, others['SubagentStop'] ?? []].flat() }
}
