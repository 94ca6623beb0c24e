import { createParser } from 'eventsource-parser'
import { PipeError } from '../error.ts'
import { isJson, parseJson } from '../json-value.ts'
import { Utf8Pieces } from './utf8-pieces.ts'

export interface ServerEvent {
  readonly event?: string | undefined
  /** The place to resume at. */
  readonly id?: string | undefined
  readonly data: string
  /** The body ended within this event, so its data may be cut. */
  readonly unfinished?: true
}

/** Maximum characters of one event. */
export const maxEvent = 16 * 1024 * 1024

/** Maximum characters of JSON outside of events. */
const maxBare = 64 * 1024

/**
 * Reads the server-sent events of a body, in batches as they arrive. Skips comments. JSON that ends a body outside of any event is
 * the last one: some servers write an error so. Throws `protocol` for an event of more than 16 Mi characters, and the body's errors.
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ServerEvent[], void, undefined> {
  let ready: ServerEvent[] = []
  let oversize = false
  let bare = ''
  const parser = createParser({
    onEvent: ({ event, id, data: lines }) => {
      for (const data of lines.includes('\n') ? separated(lines) : [lines])
        ready.push(event === undefined && id === undefined ? { data } : { data, event, id })
    },
    onError: ({ type, line = '' }) => {
      oversize ||= type === 'max-buffer-size-exceeded'
      const isBare =
        type === 'unknown-field' && bare.length <= maxBare && (bare !== '' || line.startsWith('{'))
      if (isBare) bare += `${line}\n`
    },
    maxBufferSize: maxEvent,
  })
  const pieces = new Utf8Pieces()
  for await (const chunk of body) {
    parser.feed(pieces.decode(chunk))
    if (oversize) throw new PipeError('protocol', oversized)
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
  parser.feed(`${pieces.end()}\n\n`)
  if (isJson(bare)) ready.push({ data: bare.trim() })
  if (ready.length > 0) yield ready.map((event) => ({ ...event, unfinished: true }))
}

/** Separates the events of a server that ends each with one line feed: every line is JSON by itself, though all of them are not. */
function separated(data: string): readonly string[] {
  const lines = data.split('\n').filter((line) => line.trim() !== '')
  const [first = '', second = ''] = lines
  const isOne = !first.startsWith('{') || !/^(\{|\[DONE\])/.test(second) || parseJson(first) === undefined
  return isOne ? [data] : lines
}

export const oversized = `the server sent an event of more than ${maxEvent} characters`
