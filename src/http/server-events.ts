import { createParser } from 'eventsource-parser'
import { PipeError } from '../error.ts'

export interface ServerEvent {
  readonly event?: string
  readonly data: string
  /** The body ended before this event's blank line: its data may be cut. */
  readonly unfinished?: true
}

/** Characters of one event. */
const maxEvent = 16 * 1024 * 1024

/**
 * Server-sent events of a body, whatever its cuts. Comments are left out. Throws `protocol` for an event of more than 16 Mi
 * characters, and what the body throws.
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const ready: ServerEvent[] = []
  let oversize = false
  const parser = createParser({
    onEvent: ({ event, data }) => ready.push(event === undefined ? { data } : { event, data }),
    onError: ({ type }) => {
      oversize ||= type === 'max-buffer-size-exceeded'
    },
    maxBufferSize: maxEvent,
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (oversize)
      throw new PipeError('protocol', `the server sent an event of more than ${maxEvent} characters`)
    if (ready.length > 0) yield* ready.splice(0)
  }
  parser.feed(`${decoder.decode()}\n\n`)
  for (const event of ready) yield { ...event, unfinished: true }
}
