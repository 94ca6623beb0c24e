import { oneLine } from '../characters/one-line.ts'
import { callTarget } from '../frontend/words/call-target.ts'
import type { JsonValue } from '../json-value.ts'

const width = 100

/** Describes a call in one line: its name and its target. */
export function describeCall(name: string, args: JsonValue): string {
  const target = callTarget(args)
  return target === '' ? name : `${name} ${oneLine(target, width)}`
}
