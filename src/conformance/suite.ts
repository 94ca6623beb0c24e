import { strict as assert } from 'node:assert'
import { type ErrorCode, isPipeError } from '../error.ts'

/** One promise of a port. `run` rejects if the implementation breaks it. Pass both to any test runner: `it(name, run)`. */
export interface ConformanceCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/** Returns what an action throws, now or later. Fails if it throws nothing. */
async function thrown(action: () => unknown): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

/** Fails unless an action throws a `PipeError` of this code. Returns the error. */
export async function throwsCode(code: ErrorCode, action: () => unknown): Promise<unknown> {
  const error = await thrown(action)
  assert.equal(isPipeError(error) ? error.code : error, code)
  return error
}
