import type { JsonValue } from '../json-value.ts'
import { callTarget } from '../text/call-target.ts'
import { oneLine } from '../text/one-line.ts'

const width = 100

/** Describes a call in one line: its name and its target. */
export function describeCall(name: string, args: JsonValue): string {
  const target = callTarget(name, args)
  return target === '' ? name : `${name} ${oneLine(target, width)}`
}

/** Formats a duration as `120 ms` or `1.5 s`. */
export function describeDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}
