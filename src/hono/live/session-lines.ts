import { linkAbort } from '../../agent/linked-abort.ts'
import type { PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import { RepeatedOutput } from '../../frontend/repeated-output.ts'
import type { WaitingMessage } from '../../history/message-queue.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Position, Watched } from '../../shared-conversation.ts'
import { encodeEvent } from '../../wire/event-json.ts'
import { encodeQueue, encodeSnapshot } from '../../wire/snapshot-json.ts'
import type { SentEvent } from '../event-stream.ts'
import type { Hub } from './hub.ts'
import type { LiveSession } from './live-session.ts'

export interface LinesOptions {
  /** Begins after this position, if its events are still kept. Default: with a snapshot. */
  readonly after?: Position
  /** Ends the lines. */
  readonly signal: AbortSignal
}

/**
 * Yields the lines of a session: of the open conversation, with a `closed` line after it, and of the next one. Begins with what is stored
 * while it is not open. Takes no lock and opens nothing. Ends when the signal fires or the hub closes. Throws `not_found`, `input`.
 */
export async function* sessionLines(
  hub: Hub,
  id: string,
  { after, signal }: LinesOptions,
): AsyncGenerator<SentEvent, undefined, undefined> {
  let from = after
  let live = hub.get(id)
  if (live === undefined) {
    const snapshot = await hub.stored.snapshot(id, { signal })
    yield lineOf({ type: 'snapshot', ...encodeSnapshot(snapshot) }, snapshot.position)
    from = undefined
  }
  for (;;) {
    live = await hub.whenOpen(id, signal)
    if (live === undefined) return undefined
    yield* liveLines(live, { signal, ...omitUndefined({ after: from }) })
    if (signal.aborted) return undefined
    yield lineOf({ type: 'closed' })
    from = undefined
  }
}

/** Yields the lines of an open conversation until it is closed. Repeats at most 1 MB of each call's output. */
async function* liveLines(
  live: LiveSession,
  { after, signal }: LinesOptions,
): AsyncGenerator<SentEvent, undefined, undefined> {
  const { conversation, changes } = live
  const output = new RepeatedOutput()
  const news = new News(live)
  const release = live.addWatcher()
  let position = after
  try {
    for (;;) {
      const { controller, unlink } = linkAbort(signal)
      const cancel = changes.once(() => controller.abort())
      // A snapshot precedes the news.
      if (position !== undefined) yield* news.lines()
      const watching = { signal: controller.signal, ...omitUndefined({ after: position }) }
      try {
        for await (const watched of conversation.watch(watching)) {
          position = watched.position
          if (watched.type === 'snapshot') news.skip(live.waiting.all)
          const line = encode(watched, live, output)
          if (line !== undefined) yield line
          if (watched.type === 'snapshot') yield* news.lines()
        }
      } finally {
        cancel()
        unlink()
      }
      if (signal.aborted || !controller.signal.aborted) return undefined
    }
  } finally {
    release()
  }
}

/** Tells a watcher of an open conversation what has changed beside its events. */
class News {
  readonly #live: LiveSession
  #failure: PipeError | undefined
  #queue: readonly WaitingMessage[] | undefined
  #settings = ''

  constructor(live: LiveSession) {
    this.#live = live
    this.#failure = live.failure
  }

  /** Takes note that a snapshot has told of these messages. */
  skip(queue: readonly WaitingMessage[]): void {
    this.#queue = queue
  }

  /** Yields what has changed since the last time. */
  *lines(): Generator<SentEvent, undefined, undefined> {
    const { failure, waiting, conversation } = this.#live
    const { model, mode } = conversation
    const settings = `${model} ${mode}`
    if (settings !== this.#settings) {
      this.#settings = settings
      yield lineOf({ type: 'settings', model, mode })
    }
    if (waiting.all !== this.#queue) {
      this.#queue = waiting.all
      yield lineOf({ type: 'queue', queue: encodeQueue(waiting.all) })
    }
    if (failure !== undefined && failure !== this.#failure) {
      this.#failure = failure
      yield lineOf({ type: 'failed', code: failure.code, message: failure.message })
    }
    return undefined
  }
}

/** Returns `undefined` for output of a call that is not repeated. */
function encode(watched: Watched, live: LiveSession, output: RepeatedOutput): SentEvent | undefined {
  const { position } = watched
  if (watched.type === 'snapshot') {
    const snapshot = { ...watched.snapshot, position, queue: live.waiting.all }
    return lineOf({ type: 'snapshot', ...encodeSnapshot(snapshot) }, position)
  }
  const repeated = output.take(watched.event)
  return repeated && { id: position, data: eventLine(repeated.event, repeated.told) }
}

/** The lines of events, each encoded once for all who watch. */
const lines = new WeakMap<AgentEvent, string>()

function eventLine(event: AgentEvent, told: JsonObject): string {
  if (Object.keys(told).length > 0) return JSON.stringify(encodeEvent(event, told))
  const known = lines.get(event)
  if (known !== undefined) return known
  const line = JSON.stringify(encodeEvent(event))
  lines.set(event, line)
  return line
}

function lineOf(line: object, position?: Position): SentEvent {
  return { data: JSON.stringify(line), ...omitUndefined({ id: position }) }
}
