import { infoOf, type ModelChoice, modelName } from '../../engine.ts'
import { PipeError, throwIfAborted } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { type AssistantMessage, toolCalls, validateMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Request } from '../../provider.ts'
import { isContextFull } from '../../reply/finish-word.ts'
import type { Agent, CallStep, Progress, TurnStep } from '../agent.ts'
import { answerCalls } from '../calls/answer-calls.ts'
import { explainOverflow, makeRoom } from '../compaction/compaction.ts'
import type { FallbackAsking } from '../request/fallback.ts'
import { chooseRoute, type ModelRoute, needsOf } from '../request/model-route.ts'
import { withoutRefused } from '../request/refused-media.ts'
import { withoutRefusedThoughts } from '../request/refused-thoughts.ts'
import type { Repetition } from '../request/repetition.ts'
import { replyNotices } from '../request/reply-notices.ts'
import type { AttemptedReply } from '../request/request-reply.ts'
import { repairHistory } from './repair.ts'
import type { OpenReply } from './resumption.ts'

/** The model's reply, and the error if the round ended early. */
export interface RoundOutcome {
  readonly reply: AssistantMessage
  readonly error?: PipeError | undefined
  /** The budget error that cut the reply of a round that otherwise completed. */
  readonly cut?: PipeError | undefined
}

/** Asks the model once and runs its calls. Afterwards, each call has a result in the history. */
export async function* runRound(
  agent: Agent,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<TurnStep, RoundOutcome, undefined> {
  const round = progress.rounds
  const spent = progress.spent.part()
  yield agent.enter('thinking')
  const chosen = agent.choice()
  const compose = (choice: ModelChoice) => composeRequest(agent, choice, progress)
  const { choice, reason = agent.takeReason() } = await findRoute(agent, progress, compose)
  yield {
    type: 'round_start',
    round,
    provider: choice.provider.name,
    model: choice.model,
    ...omitUndefined({ reason }),
  }
  const { clock, random, latency, pace } = agent
  const { formless } = progress
  const asking = { clock, random, signal, spent, latency, pace, chosen, compose, formless }
  const { message, error } = yield* askWithRoom(agent, progress, choice, asking)
  yield* appendReply(agent, message, progress.repetition, signal)
  if (error === undefined) yield* tell(replyNotices(message), progress)
  yield agent.enter('reflecting')
  const { stopReason, rawStopReason } = message
  const { usage, costUsd } = spent
  yield { type: 'round_end', round, stopReason, usage, ...omitUndefined({ rawStopReason, costUsd }) }
  yield agent.enter('idle')
  const cut = agent.budget.cut(message, { own: agent.maxReplyTokens, info: choice.info })
  return { reply: message, error, cut }
}

/** Tells the user each sentence once a turn. */
function* tell(sentences: readonly string[], { told }: Progress): Generator<AgentFact, void, undefined> {
  for (const text of sentences) {
    if (told.has(text)) continue
    told.add(text)
    yield { type: 'notice', text }
  }
}

/** Finds the model to ask first: the turn's current one, unless another has an ability that it lacks. */
function findRoute(
  { choice, routing, latency }: Agent,
  { fallback }: Progress,
  compose: (choice: ModelChoice) => Request,
): ModelRoute | Promise<ModelRoute> {
  const current = fallback.choiceFor(choice())
  const candidates = routing.candidates.filter((candidate) => !fallback.hasTried(candidate))
  if (candidates.length === 0) return { choice: current }
  return chooseRoute(current, needsOf(compose(current)), { ...routing, candidates }, latency)
}

/**
 * Makes room if needed and asks the model. If the server still finds the request too long, makes more room and asks once more.
 * If no more room can be made, or none may be, the error gives advice.
 */
async function* askWithRoom(
  agent: Agent,
  progress: Progress,
  choice: ModelChoice,
  asking: FallbackAsking,
): AsyncGenerator<TurnStep, AttemptedReply, undefined> {
  const { autoCompact } = agent
  const compacting = { agent, choice, asking }
  const command = agent.mailbox.takeCompaction()
  if (command !== undefined) {
    const { failure } = yield* makeRoom({ ...compacting, keep: command.keep }, 'command')
    if (failure !== undefined) yield { type: 'compaction_failed', reason: failure.message }
  } else if (autoCompact) yield* makeRoom(compacting, 'size')
  let reply = yield* progress.fallback.ask(choice, asking)
  if (overflowOf(reply) === undefined) return reply
  if (autoCompact) {
    const { choice: next } = await findRoute(agent, progress, asking.compose)
    const { isSmaller } = yield* makeRoom({ ...compacting, choice: next }, 'overflow')
    if (isSmaller && reply.shown.size > 0) yield startsOver(reply)
    if (isSmaller || asking.signal.aborted) reply = yield* progress.fallback.ask(next, asking)
  }
  const overflow = overflowOf(reply)
  return overflow === undefined ? reply : { ...reply, error: explainOverflow(overflow, agent) }
}

/** Returns the error of a request that was too large, or of a reply that ended because the context window was full. */
function overflowOf({ message, error }: AttemptedReply): PipeError | undefined {
  if (error !== undefined)
    return error.code === 'context_overflow' && message.content.length === 0 ? error : undefined
  if (message.stopReason !== 'length' || !isContextFull(message)) return undefined
  return new PipeError('length', `the answer was cut: the context window of ${message.model} is full`)
}

/** Strikes a reply that the full context cut: after the compaction it is requested again. */
function startsOver({ shown }: AttemptedReply): AgentFact {
  const reason = 'the context window was full before the answer ended'
  return { type: 'retry', attempt: 1, reason, waitMs: 0, discarded: [...shown] }
}

function composeRequest(agent: Agent, choice: ModelChoice, progress: Progress): Request {
  const { model, thinking } = choice
  const info = infoOf(choice)
  const { systemPrompt, history, executor, maxReplyTokens, temperature, budget } = agent
  return {
    model,
    systemPrompt,
    messages: withoutRefusedThoughts(
      withoutRefused(repairHistory(history.context), modelName(choice)),
      modelName(choice),
    ),
    tools: executor.tools(),
    info,
    maxTokens: budget.replyLimit(maxReplyTokens, info),
    temperature,
    thinking,
    ...answerForm(agent, choice, progress),
  }
}

/** The form of the answer. A round that is for the form alone has no calls. */
function answerForm(
  { demands }: Agent,
  choice: ModelChoice,
  { isFormal, formless }: Progress,
): Pick<Request, 'format' | 'formatMayWait' | 'toolChoice'> {
  const format = demands.find((demand) => demand.format !== undefined)?.format
  if (format === undefined) return {}
  return {
    ...(formless.has(modelName(choice)) ? {} : { format, formatMayWait: true }),
    ...(isFormal ? { toolChoice: 'none' } : {}),
  }
}

/** Appends a reply and runs its calls. Afterwards, each call has a result, even if interrupted. */
async function* appendReply(
  agent: Agent,
  reply: AssistantMessage,
  repetition: Repetition,
  signal: AbortSignal,
): AsyncGenerator<CallStep, void, undefined> {
  const empty = reply.content.length === 0
  if (!empty) {
    validateMessage(reply, agent.clock.now())
    await agent.history.append(reply)
  }
  yield* answerCalls(agent, { reply, calls: toolCalls(reply), repetition, isResumed: false }, signal)
}

/** Summarises the history as the user commanded, without a round. Throws the reason why it cannot. */
export async function* compactNow(
  agent: Agent,
  { spent }: Progress,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, void, undefined> {
  const { clock, random, latency, pace } = agent
  const asking = { clock, random, signal, spent, latency, pace }
  const keep = agent.mailbox.takeCompaction()?.keep
  const { failure } = yield* makeRoom({ agent, choice: agent.choice(), asking, keep }, 'command')
  throwIfAborted(signal)
  if (failure !== undefined) throw failure
}

/** Runs the open calls of an earlier run, without asking the model. */
export async function* resumeRound(
  agent: Agent,
  { reply, calls }: OpenReply,
  { repetition }: Progress,
  signal: AbortSignal,
): AsyncGenerator<CallStep, void, undefined> {
  agent.trail?.resume(reply)
  yield agent.enter('thinking')
  yield* answerCalls(agent, { reply, calls, repetition, isResumed: true }, signal)
  yield agent.enter('reflecting')
  yield agent.enter('idle')
}
