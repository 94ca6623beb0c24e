import type { Turn } from '../engine.ts'
import { isPipeError, type PipeError } from '../error.ts'
import { noUsage } from '../usage.ts'
import type { Said } from './agent.ts'
import type { Trail } from './trail.ts'

/**
 * The events of a turn, each in the audit log before anyone sees it. Where the log cannot be written the turn ends with what it
 * threw: nothing goes on unseen.
 */
export async function* audited(
  turn: AsyncGenerator<Said, Turn, undefined>,
  trail: Trail,
): AsyncGenerator<Said, Turn, undefined> {
  let failure: PipeError | undefined
  let rounds = 0
  let isOver = false
  try {
    let step = await turn.next()
    while (step.done !== true) {
      const event = step.value
      const unwritten = attempt(() => trail.note(event))
      if (event.type === 'round_start') rounds = event.round
      if (unwritten !== undefined) {
        failure ??= unwritten
        step = await turn.throw(unwritten)
        continue
      }
      yield event
      step = await turn.next()
    }
    isOver = true
    const unwritten = await trail.end(step.value).then(nothing, onlyPipeErrors)
    failure ??= unwritten
    return failure === undefined ? step.value : { ...step.value, stopReason: 'error', error: failure }
  } finally {
    if (!isOver) {
      await turn.return({ messages: [], usage: noUsage, rounds, stopReason: 'aborted' })
      await trail.end({ rounds, stopReason: 'aborted' })
    }
  }
}

const nothing = () => undefined

function attempt(work: () => void): PipeError | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return onlyPipeErrors(error)
  }
}

function onlyPipeErrors(error: unknown): PipeError {
  if (isPipeError(error)) return error
  throw error
}
