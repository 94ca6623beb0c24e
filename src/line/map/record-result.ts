import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { InputRecord } from '../../records/input-record.ts'
import type { Outcome } from '../outcome.ts'

/** Holds the outcome of one record. */
export interface RecordResult {
  readonly record: InputRecord
  readonly status: 'done' | 'failed' | 'not_run'
  readonly outcome: Outcome
  /** The object of `-o json` of its run. */
  readonly json: JsonObject
  /** An earlier run has paid for it. */
  readonly isResumed?: true
}

/** Most characters of a record that a result repeats. */
const longestRepeated = 1_000

/** The object that stands for a record in the output. */
export function encodeResult({ record, status, outcome, json, isResumed }: RecordResult): JsonObject {
  const { type: _, ...run } = json
  const { index, text, fault } = record
  return {
    type: 'record',
    index,
    record: excerptOf(fault === undefined ? text : new TextDecoder().decode(record.raw.subarray(0, 4_000))),
    status,
    ...(isResumed && { resumed: true }),
    ...(Object.keys(run).length > 0 ? run : encodeError(outcome)),
  }
}

function encodeError({ exitCode, error }: Outcome): JsonObject {
  const about = error && { code: error.code, message: error.message, details: error.details }
  return { is_error: true, exit_code: exitCode, ...omitUndefined({ error: about }) }
}

function excerptOf(text: string): string {
  return text.length > longestRepeated ? `${text.slice(0, longestRepeated)}…` : text
}
