import type { Output } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { encodeResult, type RecordResult } from './record-result.ts'

export interface MapOutputOptions {
  /** `text`, `json` or `stream-json`; the last two are the same. */
  readonly format: string
  /** Ends each answer with NUL, so that it may have several lines. */
  readonly endsInNul: boolean
}

/** Writes results in the order in which they come: answers, or an object a record. */
export function mapOutput(
  stdout: Output,
  { format, endsInNul }: MapOutputOptions,
): (result: RecordResult) => void {
  if (format !== 'text') return (result) => stdout.write(`${printableJson(encodeResult(result))}\n`)
  const ending = endsInNul ? '\0' : '\n'
  return ({ status, json }) => {
    if (status !== 'done') return
    const answer = String(json['result'] ?? '').replace(/\n+$/, '')
    // Only a NUL of our own ends an answer.
    const shown = endsInNul ? answer.replaceAll('\0', '') : answer
    stdout.write(`${stdout.isTerminal ? printable(shown) : shown}${ending}`)
  }
}
