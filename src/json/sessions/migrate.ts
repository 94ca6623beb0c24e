import { PipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import { currentVersion } from './layout.ts'

/** One pure step from an old file version to the next. It need not change `version`. */
export interface Migration {
  readonly from: number
  /** The fields around the messages. */
  envelope(fields: JsonObject): JsonObject
  message(message: JsonObject): JsonObject
}

/** All steps to the current version, in order. The first version is 1, so none is needed yet. */
export const migrations: readonly Migration[] = []

/**
 * Returns the steps from `version` to the current one. Throws `input` if `version` is invalid, newer than this program, or
 * older than the oldest step.
 */
export function stepsFrom(version: unknown, steps: readonly Migration[], path: string): readonly Migration[] {
  if (typeof version !== 'number' || !Number.isInteger(version)) {
    throw refused(path, `it has no version, so it is not a session`)
  }
  if (version > currentVersion) {
    throw refused(
      path,
      `it has version ${version}, newer than ${currentVersion}, the latest that this pipe reads; it was left unchanged. Update pipe to read it`,
    )
  }
  const first = version === currentVersion ? steps.length : steps.findIndex((step) => step.from === version)
  if (first === -1) throw refused(path, `its version ${version} is too old for this pipe`)
  return steps.slice(first)
}

function refused(path: string, reason: string): PipeError {
  return new PipeError('input', `cannot read ${path}: ${reason}`, { details: { path, reason } })
}
