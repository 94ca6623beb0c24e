import type { Turn } from '../../engine.ts'
import { isPipeError, PipeError, throwIfAborted } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { type AssistantMessage, hasToolCalls, type UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { StopReason } from '../../usage.ts'
import type { Agent, Progress, TurnStep } from '../agent.ts'
import { askAboutLoop } from '../calls/loop-detection.ts'
import { type Deadline, startDeadline } from '../limits/deadline.ts'
import { Fallback } from '../request/fallback.ts'
import { Repetition } from '../request/repetition.ts'
import { isSentBack } from './answer-demands.ts'
import { doCalledWork } from './called-work.ts'
import { isProlonged, requireNoStop, tellNotices } from './hook-words.ts'
import { openReply } from './resumption.ts'
import { compactNow, type RoundOutcome, resumeRound, runRound } from './round.ts'

/** Runs rounds until the model makes no more calls, the turn fails or is aborted, or it reaches a limit; none if it only compacts. */
export async function* runTurn(
  agent: Agent,
  message: UserMessage | undefined,
  signal: AbortSignal,
): AsyncGenerator<TurnStep, Turn, undefined> {
  const { history, clock, limits, routing, budget, checkpoints, mailbox } = agent
  const start = history.messages.length
  const progress: Progress = {
    rounds: 0,
    spent: budget.beginTurn(),
    fallback: new Fallback(routing.fallback),
    repetition: new Repetition(),
    told: new Set(),
    called: [],
    isFormal: false,
    formless: new Set(),
    stopReason: 'unknown',
  }
  const deadline = startDeadline(clock, limits.maxTimeMs, signal)
  mailbox.deadline = deadline
  try {
    try {
      budget.requireLeft(agent.choice())
      const goesOn = yield* begin(agent, message, progress, deadline.signal)
      while (goesOn && (yield* advance(agent, progress, deadline, signal)));
    } finally {
      mailbox.deadline = undefined
      deadline.end()
      agent.lend(undefined)
      for (const called of progress.called) called.end()
      await history.sync()
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    progress.stopReason = signal.aborted ? 'aborted' : error.code === 'length' ? 'length' : 'error'
    progress.error = error.code === 'aborted' ? namingFailure(deadline.error ?? error, error) : error
  }
  yield* tellNotices(agent)
  const { stopReason, rounds, error } = progress
  const { usage, costUsd } = progress.spent
  yield { type: 'turn_end', stopReason, rounds, usage, ...omitUndefined({ costUsd }) }
  // Follows `turn_end`, so that it delays no one.
  const saved = await checkpoints?.end()
  if (saved !== undefined) yield { type: 'checkpoint', ...saved }
  const messages = history.messages.slice(start)
  return { messages, usage, rounds, stopReason, ...omitUndefined({ costUsd, error }) }
}

/**
 * Begins with the message; or with the questions that an earlier run left open, and delivers the message after their answers. Returns
 * false if the user only commanded to compact.
 */
async function* begin(
  agent: Agent,
  given: UserMessage | undefined,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<TurnStep, boolean, undefined> {
  const { history, questions, mailbox, checkpoints, hooks } = agent
  const message = given && ((await hooks?.beginning(given, { signal })) ?? given)
  const left = openReply(history.messages, questions)
  const asked = left === undefined ? message : history.messages.findLast(({ type }) => type === 'user')
  if (left === undefined && message !== undefined) {
    await history.append(message)
    await history.sync()
  }
  if (asked?.type === 'user') checkpoints?.begin(asked)
  hooks?.takeStop()
  yield { type: 'turn_start', ...(left === undefined ? omitUndefined({ message }) : {}) }
  if (left !== undefined) {
    if (message !== undefined) mailbox.steer(message)
    yield* resumeRound(agent, left, progress, signal)
    throwIfAborted(signal)
  } else if (message === undefined) {
    yield* compactNow(agent, progress, signal)
    progress.stopReason = 'end_turn'
    return false
  } else {
    const answer = yield* doCalledWork(agent, { message, mayAnswer: true }, progress, signal)
    if (answer !== undefined) return yield* mustGoOn(agent, progress, answer, signal)
  }
  return true
}

/** Returns true if another round must follow this reply, which makes no calls. */
async function* mustGoOn(
  agent: Agent,
  progress: Progress,
  reply: AssistantMessage,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, boolean, undefined> {
  if (yield* isProlonged(agent, progress, reply, signal)) return true
  return yield* isSentBack(agent, progress, reply, signal)
}

/** Adds the last server failure to the error of a turn that ended while it waited to try again. */
function namingFailure(error: PipeError, { details }: PipeError): PipeError {
  const { last_failure: reason } = details
  if (reason === undefined) return error
  return new PipeError(error.code, `${error.message}; the last try failed: ${reason}`, {
    cause: error,
    details: { ...error.details, last_failure: reason },
  })
}

/** Runs one round. Returns true if another must follow. */
async function* advance(
  agent: Agent,
  progress: Progress,
  deadline: Deadline,
  outer: AbortSignal,
): AsyncGenerator<TurnStep, boolean, undefined> {
  yield* tellNotices(agent)
  requireNoStop(agent)
  requireRound(agent, progress, deadline)
  yield* askAboutLoop(agent, progress.repetition, deadline.signal)
  yield* appendSteering(agent, progress, deadline.signal)
  progress.rounds++
  const outcome = yield* runRound(agent, progress, deadline.signal)
  progress.stopReason = stopReasonOf(outcome, outer)
  if (outcome.error !== undefined) throw outcome.error
  if (outcome.cut !== undefined && !outer.aborted) progress.error = outcome.cut
  if (outer.aborted && deadline.error !== undefined) throw deadline.error
  if (outer.aborted) return false
  if (agent.mailbox.isSteered || (progress.stopReason === 'tool_use' && hasToolCalls(outcome.reply)))
    return true
  return yield* mustGoOn(agent, progress, outcome.reply, deadline.signal)
}

/** Throws if no further round may begin. */
function requireRound({ limits, budget, choice }: Agent, { rounds }: Progress, { error }: Deadline): void {
  if (limits.maxRounds !== undefined && rounds >= limits.maxRounds) {
    const count = limits.maxRounds === 1 ? '1 round' : `${limits.maxRounds} rounds`
    throw new PipeError('turn_limit', `stopped after ${count}, the turn limit`)
  }
  budget.requireLeft(choice())
  if (error !== undefined) throw error
}

function stopReasonOf({ reply, error }: RoundOutcome, signal: AbortSignal): StopReason {
  if (signal.aborted) return 'aborted'
  return error === undefined ? reply.stopReason : 'error'
}

async function* appendSteering(
  agent: Agent,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<TurnStep, void, undefined> {
  const steering = agent.mailbox.takeSteering()
  // All are in the session before one of them can fail.
  for (const message of steering) {
    await agent.history.append(message)
    yield { type: 'message', message }
  }
  for (const message of steering) yield* doCalledWork(agent, { message, mayAnswer: false }, progress, signal)
}
