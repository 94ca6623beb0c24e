import { createParser } from 'eventsource-parser'
import { PipeError } from '../error.ts'
import { omitUndefined } from '../omit-undefined.ts'

export interface ServerEvent {
  readonly event?: string
  /** The place to resume at. */
  readonly id?: string
  readonly data: string
  /** The body ended within this event, so its data may be cut. */
  readonly unfinished?: true
}

/** Maximum characters of one event. */
export const maxEvent = 16 * 1024 * 1024

/**
 * Reads the server-sent events of a body, in batches as they arrive. Skips comments. Throws `protocol` for an event of more than
 * 16 Mi characters, and the body's errors.
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ServerEvent[], void, undefined> {
  let ready: ServerEvent[] = []
  let oversize = false
  const parser = createParser({
    onEvent: ({ event, id, data }) =>
      ready.push(
        event === undefined && id === undefined ? { data } : { data, ...omitUndefined({ event, id }) },
      ),
    onError: ({ type }) => {
      oversize ||= type === 'max-buffer-size-exceeded'
    },
    maxBufferSize: maxEvent,
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (oversize) throw new PipeError('protocol', oversized)
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
  parser.feed(`${decoder.decode()}\n\n`)
  if (ready.length > 0) yield ready.map((event) => ({ ...event, unfinished: true }))
}

export const oversized = `the server sent an event of more than ${maxEvent} characters`
