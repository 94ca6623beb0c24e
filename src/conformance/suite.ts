import { strict as assert } from 'node:assert'
import { type ErrorCode, isPipeError } from '../error.ts'
import type { TaskId } from '../id.ts'
import { countingIds } from './sample-messages.ts'

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

/** Makes cases that each get a subject of their own, which is closed at their end. */
export function casesOn<Subject extends { close?(): Promise<void> }>(
  create: () => Promise<Subject>,
): (name: string, check: (subject: Subject) => Promise<void>) => ConformanceCase {
  return (name, check) => ({
    name,
    run: async () => {
      const subject = await create()
      try {
        await check(subject)
      } finally {
        await subject.close?.()
      }
    },
  })
}

/** Makes such cases about two tasks. */
export function casesOnTasks<Subject extends { close?(): Promise<void> }>(
  create: () => Promise<Subject>,
): (
  name: string,
  check: (subject: Subject, ids: readonly [TaskId, TaskId]) => Promise<void>,
) => ConformanceCase {
  const about = casesOn(create)
  return (name, check) =>
    about(name, (subject) => {
      const newId = countingIds()
      return check(subject, [newId.task(), newId.task()])
    })
}
