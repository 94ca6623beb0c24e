import { linkAbort } from '../../agent/linked-abort.ts'
import type { Clock } from '../../clock.ts'
import { isPipeError } from '../../error.ts'
import { serverLimits } from '../bounds/server-limits.ts'
import { eventStream, type SentEvent } from '../event-stream.ts'
import { Refusal, type RefusalFacts, refusalOf } from '../refusal.ts'
import type { AnswerEnd, AnsweringOptions, AnswerPart, ServedAnswer } from './answer.ts'

/** Writes answers as one API does. */
export interface AnswerFormat {
  /** Encodes a part of a stream. Those of `end` are its last. */
  part(part: AnswerPart): readonly SentEvent[]
  /** Encodes the failure of a stream that has begun. */
  failure(facts: RefusalFacts): SentEvent
  /** Encodes a whole answer. `lines` are those of its `events`. */
  whole(end: AnswerEnd, lines: readonly object[]): object
}

export interface ResponseOptions {
  readonly clock: Clock
  readonly isStreamed: boolean
  /** Fires when the client goes away. */
  readonly signal: AbortSignal
  readonly open: (options: AnsweringOptions) => Promise<ServedAnswer>
  readonly format: (answering: ServedAnswer) => AnswerFormat
}

/**
 * Opens an answer and responds with it, from the moment at which the model begins. Throws what fails before that. A stream begins at the latest
 * after `limits.firstPart`, so that no proxy gives it up.
 */
export async function respond(options: ResponseOptions): Promise<Response> {
  const { isStreamed, clock } = options
  const { controller, unlink: onEnd } = linkAbort(options.signal)
  try {
    const answering = await options.open({ signal: controller.signal, isStreamed })
    const { sessionId, parts } = answering
    const format = options.format(answering)
    const response = isStreamed
      ? await streamed(parts, format, { clock, controller, onEnd })
      : Response.json(await whole(parts, format, onEnd))
    if (sessionId !== undefined) response.headers.set('x-pipe-session', sessionId)
    return response
  } catch (error) {
    onEnd()
    throw error
  }
}

/** Waits until an answer has begun, though not for long, and responds with its events. */
async function streamed(
  parts: ServedAnswer['parts'],
  format: AnswerFormat,
  { clock, controller, onEnd }: Streaming,
): Promise<Response> {
  const first = parts.next()
  const isLate = await isPending(first, clock)
  const events = sentEvents(first, parts, format)
  const reader: AsyncIterator<SentEvent, undefined> = {
    next: () => events.next(),
    return: async () => {
      // A client may leave at any time. Aborts first: `return` alone waits for the part that is being made.
      controller.abort()
      const ended = await events.return(undefined)
      await parts.return()
      onEnd()
      return ended
    },
  }
  return eventStream(reader, { clock, signal: controller.signal, isLate })
}

/** Whether a first part takes long. Throws what fails until then. */
async function isPending(first: Promise<unknown>, clock: Clock): Promise<boolean> {
  let stop = () => {}
  const late = new Promise<boolean>((resolve) => {
    stop = clock.after(serverLimits.firstPart, () => resolve(true))
  })
  try {
    return await Promise.race([first.then(() => false), late])
  } finally {
    stop()
  }
}

interface Streaming {
  readonly clock: Clock
  /** Ends the answer. */
  readonly controller: AbortController
  readonly onEnd: () => void
}

async function* sentEvents(
  first: Promise<IteratorResult<AnswerPart, void>>,
  parts: ServedAnswer['parts'],
  format: AnswerFormat,
): AsyncGenerator<SentEvent, undefined, undefined> {
  try {
    for (let step = await first; step.done !== true; step = await parts.next()) yield* format.part(step.value)
  } catch (error) {
    yield format.failure(refusalOf(error))
    if (!isPipeError(error) && !(error instanceof Refusal)) throw error
  }
  return undefined
}

async function whole(parts: ServedAnswer['parts'], format: AnswerFormat, onEnd: () => void): Promise<object> {
  const lines: object[] = []
  let end: AnswerEnd | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'events') lines.push(...part.lines)
      if (part.type === 'end') end = part.end
    }
  } finally {
    onEnd()
  }
  if (end === undefined) throw new Error('an answer ended without its end')
  return format.whole(end, lines)
}
