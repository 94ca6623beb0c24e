import type { Turn } from '../engine.ts'
import { isPipeError, type PipeError } from '../error.ts'
import { noUsage } from '../usage.ts'
import type { Said } from './round.ts'
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
  let isOver = false
  let rounds = 0
  try {
    let step = await turn.next()
    while (step.done !== true) {
      const event = step.value
      const unwritten = failure === undefined ? attempt(() => trail.note(event)) : undefined
      failure ??= unwritten
      if (event.type === 'round_start') rounds = event.round
      if (event.type === 'turn_end') isOver = true
      if (unwritten !== undefined && !isOver) {
        step = await turn.throw(unwritten)
        continue
      }
      yield event
      step = await turn.next()
    }
    isOver = true
    failure ??= await trail.end(step.value).catch(onlyPipeErrors)
    return failure === undefined ? step.value : withFailure(step.value, failure)
  } finally {
    if (!isOver) {
      const left = { usage: noUsage, rounds, stopReason: 'aborted' } as const
      await turn.return({ ...left, messages: [] })
      await trail.end(left)
    }
  }
}

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

function withFailure(turn: Turn, failure: PipeError): Turn {
  return { ...turn, stopReason: turn.error === undefined ? 'error' : turn.stopReason, error: turn.error ?? failure }
}
