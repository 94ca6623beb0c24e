import { replyWithoutTags } from '../../characters/tag-characters.ts'
import type { Clock } from '../../clock.ts'
import { modelName } from '../../engine.ts'
import { isPipeError, PipeError, retryable } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import type { AssistantMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Provider, Request, Stream } from '../../provider.ts'
import { maxServerWaitMs, retryDelay } from '../../reply/backoff.ts'
import { finishMeaning } from '../../reply/finish-word.ts'
import { decimal, type Meter } from '../limits/meter.ts'
import { IncomingReply } from './incoming-reply.ts'
import type { Leave, Pace } from './pace.ts'
import { isRevised, showRevised } from './revised-reply.ts'

/** Longest wait that a message states: a year. Servers may ask for any wait. */
const maxShownWaitMs = 365 * 86_400_000

/** The reply as far as it arrived, and the error that cut it short. */
export interface AttemptedReply {
  /** Its metadata hold the cost, `cost_usd`, if the price is known. */
  readonly message: AssistantMessage
  /** The ids of its blocks that were shown. */
  readonly shown: ReadonlySet<string>
  readonly error?: PipeError
}

export interface AskOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  /** Counts all attempts, including failed ones. */
  readonly spent: Meter
  /** Records the milliseconds to the first event of the last reply, by `provider/model`. */
  readonly latency: Map<string, number>
  /** Holds it back together with other conversations. Default: it waits for itself alone. */
  readonly pace?: Pace | undefined
}

/** A reply to pull, or what became of one. */
export type ReplyStep = IncomingReply | Extract<AgentFact, { type: 'retry' | 'notice' }>

/**
 * Requests one reply and retries if that may help; no other code retries. Each attempt is yielded, to be pulled to its end
 * before the next step. Never throws for a failing provider.
 */
export async function* requestReply(
  provider: Provider,
  request: Request,
  asking: AskOptions,
): AsyncGenerator<ReplyStep, AttemptedReply, undefined> {
  const { clock, random, signal, spent, latency, pace } = asking
  const name = modelName({ provider, model: request.model })
  let wasSilent = false
  for (let attempt = 1; ; attempt++) {
    const leave = await pace?.enter(provider.name, signal)
    const stream = beginReply(provider, request, { signal, leave })
    const started = clock.monotonic()
    const onFirst = () => latency.set(name, clock.monotonic() - started)
    const incoming = new IncomingReply(stream, { clock, onFirst })
    const { shown } = incoming
    let failure: PipeError | undefined
    let message: AssistantMessage
    try {
      yield incoming
      failure = incoming.failure()
    } finally {
      const said = replyWithoutTags(stream.message())
      message = priced(said, spent.add(said.usage, request.info?.price))
      await stream.close()
      leave?.(failure)
    }
    if (failure === undefined) {
      if (!isUnanswered(request, message)) {
        if (!isRevised(message)) return { message, shown }
        return { message, shown: yield* showRevised(message, shown, { clock, onFirst }) }
      }
      failure = emptyReply(message, wasSilent)
      wasSilent = true
    }
    const waitMs = retryDelay(failure, attempt, random)
    if (waitMs === undefined) return { message, shown, error: withTries(explainWait(failure), attempt) }
    const { request_id: requestId, status } = failure.details
    const failed = omitUndefined({ requestId, status: status === undefined ? undefined : Number(status) })
    yield { type: 'retry', attempt, reason: failure.message, waitMs, discarded: [...shown], ...failed }
    try {
      await clock.sleep(waitMs, signal)
    } catch (error) {
      if (!isPipeError(error)) throw error
      const ended = withLastFailure(error, failure)
      return { message: { ...message, content: [], stopReason: 'aborted' }, shown: new Set(), error: ended }
    }
  }
}

/** Asks for a reply. Leaves the lane if the provider throws at once, which it does for an invalid request. */
function beginReply(
  provider: Provider,
  request: Request,
  { signal, leave }: { readonly signal: AbortSignal; readonly leave: Leave | undefined },
): Stream {
  try {
    return provider.stream(request, { signal })
  } catch (error) {
    leave?.(isPipeError(error) ? error : undefined)
    throw error
  }
}

/**
 * Whether a reply lacks what it owes: text or calls; thoughts do not count. After tool results, a reply of nothing with a plain stop
 * is fine: the work is done.
 */
function isUnanswered({ messages }: Request, reply: AssistantMessage): boolean {
  const { stopReason, content } = reply
  if (stopReason !== 'end_turn' && stopReason !== 'unknown') return false
  const thinks = content.some(({ type }) => type === 'thinking')
  const isSilent = content.every(
    (block) => block.type === 'thinking' || (block.type === 'text' && block.text.trim() === ''),
  )
  return isSilent && (messages.at(-1)?.type === 'user' || thinks || !endsPlainly(reply))
}

/** Whether the server named a normal end. A word for calls without a call is none: the server lost them. */
function endsPlainly({ stopReason, rawStopReason = '' }: AssistantMessage): boolean {
  return stopReason === 'end_turn' && finishMeaning(rawStopReason) !== 'tool_use'
}

/** Returns the error of an empty reply. One retry may help, more do not. */
function emptyReply({ requestId }: AssistantMessage, again: boolean): PipeError {
  const what = again
    ? 'the model said nothing, even when asked twice; rephrase the request, or choose another model'
    : 'the model said nothing'
  return new PipeError('protocol', what, {
    details: omitUndefined({ should_retry: String(!again), request_id: requestId }),
  })
}

function priced(message: AssistantMessage, costUsd: number | undefined): AssistantMessage {
  return costUsd === undefined ? message : annotated(message, { cost_usd: decimal(costUsd) })
}

/** Adds notes to the metadata of a message. */
export function annotated(
  message: AssistantMessage,
  notes: Readonly<Record<string, string>>,
): AssistantMessage {
  return { ...message, metadata: { ...message.metadata, ...notes } }
}

/** Adds the number of tries if there was more than one. Keeps the reason of the last try. */
function withTries(error: PipeError, tries: number): PipeError {
  if (tries === 1 || !retryable[error.code]) return error
  return new PipeError(error.code, `after ${tries} tries: ${error.message}`, {
    cause: error,
    details: error.details,
  })
}

/** Returns the error of a run that ended while it waited to try again. */
function withLastFailure(error: PipeError, { message }: PipeError): PipeError {
  return new PipeError(error.code, error.message, {
    cause: error,
    details: { ...error.details, last_failure: message },
  })
}

function explainWait(error: PipeError): PipeError {
  const asked = Number(error.details['retry_after_ms'] ?? 0)
  if (asked <= maxServerWaitMs) return error
  const wait = describeWait(Math.min(asked, maxShownWaitMs))
  return new PipeError(error.code, `${error.message}; the server asks to try again in ${wait}`, {
    cause: error,
    details: error.details,
  })
}

/** Formats a wait as `1 min 40 s`. */
function describeWait(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const parts = hours > 0 ? [`${hours} h`, `${minutes} min`] : [`${minutes} min`, `${rest} s`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}
