import type { Position, Watched } from '../../conversation.ts'
import { type PipeError, unreachable } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import { RepeatedOutput } from '../../frontend/repeated-output.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { encodeEvent } from '../../wire/event-json.ts'
import { encodeInteraction } from '../../wire/interaction-json.ts'
import { encodeQueue, encodeSnapshot } from '../../wire/snapshot-json.ts'
import type { SentEvent } from '../event-stream.ts'
import type { Hub } from './hub.ts'
import type { LiveSession } from './live-session.ts'

export interface LinesOptions {
  /** Begins after this position, if its events are still kept. Default: with a snapshot. */
  readonly after?: Position | undefined
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
    yield* liveLines(live, { signal, after: from })
    if (signal.aborted) return undefined
    yield lineOf({ type: 'closed' })
    from = undefined
  }
}

/** Yields the lines of an open conversation until it is closed. Repeats at most 1 MB of each call's output. */
async function* liveLines(
  live: LiveSession,
  options: LinesOptions,
): AsyncGenerator<SentEvent, undefined, undefined> {
  const output = new RepeatedOutput()
  const release = live.addWatcher()
  try {
    for await (const watched of live.conversation.watch(options)) yield* encode(watched, live, output)
    return undefined
  } finally {
    release()
  }
}

/** Yields nothing for output of a call that is not repeated. */
function* encode(
  watched: Watched,
  live: LiveSession,
  output: RepeatedOutput,
): Generator<SentEvent, undefined, undefined> {
  const { type, position } = watched
  switch (type) {
    case 'event': {
      const repeated = output.take(watched.event)
      if (repeated !== undefined) yield { id: position, data: eventLine(repeated.event, repeated.told) }
      return undefined
    }
    case 'snapshot':
      yield lineOf({ type, ...encodeSnapshot({ ...watched.snapshot, position }) }, position)
      yield lineOf({ type: 'settings', ...live.conversation.settings })
      return undefined
    case 'queue':
      yield lineOf({ type, queue: encodeQueue(watched.queue) }, position)
      return undefined
    case 'asked':
      yield lineOf({ type, interaction: encodeInteraction(watched.question) }, position)
      return undefined
    case 'settings':
      yield lineOf({ type, ...watched.settings }, position)
      return undefined
    case 'ended': {
      const { stopReason: stop_reason, error, unsaved } = watched.ending
      if (error !== undefined && error.code !== 'aborted')
        yield lineOf({ type: 'failed', ...errorJson(error) })
      const more = omitUndefined({
        error: error && errorJson(error),
        unsaved: unsaved && { part: unsaved.part, error: errorJson(unsaved.error) },
      })
      yield lineOf({ type, stop_reason, ...more }, position)
      return undefined
    }
    case 'settled':
      yield lineOf({ type }, position)
      return undefined
    case 'lost':
    case 'found':
      return undefined
    default:
      return unreachable(watched)
  }
}

function errorJson({ code, message }: PipeError) {
  return { code, message }
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
  return { data: JSON.stringify(line), id: position }
}
