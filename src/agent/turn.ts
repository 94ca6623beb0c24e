import type { Turn } from '../engine.ts'
import { isPipeError, PipeError } from '../error.ts'
import { hasToolCalls, type UserMessage } from '../message.ts'
import { present } from '../present.ts'
import { noUsage, type StopReason } from '../usage.ts'
import { type Agent, type Progress, type RoundOutcome, runRound, type Said } from './round.ts'

/** Rounds until the model makes no more calls, something ends the turn, or `maxRounds` are done. */
export async function* runTurn(
  agent: Agent,
  message: UserMessage,
  options: { readonly signal: AbortSignal; readonly maxRounds: number },
): AsyncGenerator<Said, Turn, undefined> {
  const start = agent.history.messages.length
  const progress: Progress = { rounds: 0, usage: noUsage, stopReason: 'unknown' }
  try {
    try {
      await agent.history.append(message)
      await agent.history.sync()
      yield { type: 'turn_start', message }
      while (yield* advance(agent, progress, options));
    } finally {
      await agent.history.sync()
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    progress.stopReason = options.signal.aborted ? 'aborted' : 'error'
    progress.error = error
  }
  const { stopReason, rounds, usage, error } = progress
  yield { type: 'turn_end', stopReason, rounds, usage }
  return { messages: agent.history.messages.slice(start), usage, rounds, stopReason, ...present({ error }) }
}

/** One round; true where another is to follow. */
async function* advance(
  agent: Agent,
  progress: Progress,
  { signal, maxRounds }: { readonly signal: AbortSignal; readonly maxRounds: number },
): AsyncGenerator<Said, boolean, undefined> {
  yield* takeSteering(agent)
  if (progress.rounds >= maxRounds) {
    throw new PipeError('turn_limit', `stopped after ${maxRounds} rounds, the turn limit`)
  }
  progress.rounds++
  const outcome = yield* runRound(agent, progress, signal)
  progress.stopReason = stopReasonOf(outcome, signal)
  if (outcome.error !== undefined) throw outcome.error
  if (signal.aborted) return false
  return agent.mailbox.isSteered || (progress.stopReason === 'tool_use' && hasToolCalls(outcome.reply))
}

function stopReasonOf({ reply, error }: RoundOutcome, signal: AbortSignal): StopReason {
  if (signal.aborted) return 'aborted'
  return error === undefined ? reply.stopReason : 'error'
}

async function* takeSteering(agent: Agent): AsyncGenerator<Said, void, undefined> {
  for (const message of agent.mailbox.takeSteering()) {
    await agent.history.append(message)
    yield { type: 'message', message }
  }
}
