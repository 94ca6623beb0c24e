import { oneLine } from '../characters/one-line.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { text } from '../wire/json-fields.ts'

/** Something in the file that cannot be imported. */
export interface LeftOut {
  /** In the plural, in plain words. */
  readonly kind: string
  readonly count: number
}

/** Counts something that cannot be imported, named in the plural. Default: once. */
export type LeaveOut = (kind: string, count?: number) => void

/** Names text that the agent added to what the user or a tool said. */
export const agentNotes = 'notes that the agent wrote for its model'

export function unknownBlocks({ type }: JsonObject): string {
  return `blocks of the type ${nameInFile(type, 'none')}`
}

/** Returns a name in the file, in one line of bounded length. */
export function nameInFile(value: JsonValue | undefined, ifMissing: string): string {
  return oneLine(text(value), 60) || ifMissing
}
