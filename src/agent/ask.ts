import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { AgentFact, StreamEvent } from '../event.ts'
import type { AssistantMessage } from '../message.ts'
import type { Provider, Request, Stream } from '../provider.ts'
import { longestServerWaitMs, retryDelay } from './backoff.ts'

/** The last moment a date can name, in milliseconds since 1970: a server may ask for more. */
const endOfTime = 8.64e15

/** What the model said, as far as it came, and what cut it short. */
export interface Reply {
  readonly message: AssistantMessage
  readonly error?: PipeError
}

export interface Asking {
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
}

/** Asks for one reply, again where that may help: the only place that retries. Never throws for a failing provider. */
export async function* ask(
  provider: Provider,
  request: Request,
  { clock, random, signal }: Asking,
): AsyncGenerator<StreamEvent | Extract<AgentFact, { type: 'retry' }>, Reply, undefined> {
  for (let attempt = 1; ; attempt++) {
    const stream = provider.stream(request, { signal })
    const shown = new Set<string>()
    let failure: PipeError
    try {
      const error = yield* relay(stream, shown)
      if (error === undefined) return { message: stream.message() }
      failure = error
    } finally {
      await stream.close()
    }
    const waitMs = retryDelay(failure, attempt, random)
    if (waitMs === undefined) return { message: stream.message(), error: explainWait(failure, clock.now()) }
    yield { type: 'retry', attempt, reason: failure.message, waitMs, discarded: [...shown] }
    try {
      await clock.sleep(waitMs, signal)
    } catch (error) {
      if (!isPipeError(error)) throw error
      return { message: { ...stream.message(), content: [], stopReason: 'aborted' }, error }
    }
  }
}

/** Passes the stream's events up; returns the error it ended with, if any. */
async function* relay(
  stream: Stream,
  shown: Set<string>,
): AsyncGenerator<StreamEvent, PipeError | undefined, undefined> {
  for (;;) {
    let step: IteratorResult<StreamEvent, undefined>
    try {
      step = await stream.next()
    } catch (error) {
      if (isPipeError(error)) return error
      throw error
    }
    if (step.done === true) return undefined
    shown.add(step.value.type === 'tool_call_end' ? step.value.call.id : step.value.id)
    yield step.value
  }
}

function explainWait(error: PipeError, now: number): PipeError {
  const asked = Number(error.details['retry_after_ms'] ?? 0)
  if (asked <= longestServerWaitMs) return error
  const reset = new Date(Math.min(now + asked, endOfTime)).toISOString()
  return new PipeError(error.code, `${error.message}; the server asks to wait until ${reset}`, {
    cause: error,
    details: error.details,
  })
}
