import type { Turn } from '../../engine.ts'
import { isDiskFull, isPipeError, type PipeError } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { noUsage } from '../../usage.ts'
import type { TurnStep } from '../agent.ts'
import type { AuditTrail } from './audit-trail.ts'

/**
 * Writes each event of a turn to the audit log before anyone sees it, and ends the turn if that fails. On a full disk entries
 * wait in memory: the turn continues, but nothing that needs a permission runs.
 */
export async function* audited(
  turn: AsyncGenerator<TurnStep, Turn, undefined>,
  trail: AuditTrail,
): AsyncGenerator<TurnStep, Turn, undefined> {
  let failure: PipeError | undefined
  let rounds = 0
  let isOver = false
  try {
    let step = await turn.next()
    while (step.done !== true) {
      const event = step.value
      const unwritten = isOwnFact(event) ? fatal(attempt(() => trail.note(event))) : undefined
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
    const unwritten = fatal(await trail.end(step.value).then(nothing, onlyPipeErrors))
    failure ??= unwritten
    return failure === undefined ? step.value : { ...step.value, stopReason: 'error', error: failure }
  } finally {
    if (!isOver) {
      await turn.return({ messages: [], usage: noUsage, rounds, stopReason: 'aborted' })
      await trail.end({ rounds, stopReason: 'aborted' }).catch(throwFatal)
    }
  }
}

/** The message after a reply holds its deltas, and an elf has an audit log of its own. */
function isOwnFact(step: TurnStep): step is AgentFact {
  return step.type !== 'reply' && step.type !== 'agent' && step.type !== 'text_delta'
}

/** Returns the error if it must end the turn. */
function fatal(error: PipeError | undefined): PipeError | undefined {
  return isDiskFull(error) ? undefined : error
}

function throwFatal(error: unknown): void {
  if (!isDiskFull(error)) throw error
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
