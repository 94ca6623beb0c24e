import { createParser } from 'eventsource-parser'
import type { Clock } from '../../../clock.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../json-value.ts'
import { type Api, ApiError } from './api.ts'
import { cleanFields } from './clean.ts'

/** One thing that an event stream tells. */
export type Followed =
  | ({ readonly type: 'lines' } & Chunk)
  /** The stream is open, again if it was lost. */
  | { readonly type: 'open' }
  | { readonly type: 'lost' }

interface Chunk {
  readonly lines: readonly JsonObject[]
  /** The id of the last event that has one. */
  readonly last: string
}

export interface FollowOptions {
  /** Begins behind the event with this id. Empty: at the beginning. */
  readonly after: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Ends a wait before the next attempt early, when there is a reason to hope. */
  hope(signal: AbortSignal): Promise<void>
}

/** Milliseconds before each attempt to connect again; the last repeats. */
const waits = [300, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Milliseconds without a byte after which a stream is given up: the server sends one every 15 s. */
const silenceMs = 40_000

/** Yields the lines of an event stream, and connects again behind the last one when it is lost. Throws `ApiError` if the server refuses. */
export async function* followLines(
  api: Api,
  path: string,
  { after: begin, clock, signal, hope }: FollowOptions,
): AsyncGenerator<Followed, undefined> {
  let after = begin
  let attempts = 0
  while (!signal.aborted) {
    const attempt = new AbortController()
    const either = AbortSignal.any([signal, attempt.signal])
    try {
      const body = await api.events(path, after, either)
      attempts = 0
      yield { type: 'open' }
      for await (const chunk of readChunks(body, after, clock, attempt)) {
        after = chunk.last
        yield { type: 'lines', ...chunk }
      }
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof ApiError && isFinal(error)) throw error
    } finally {
      attempt.abort()
    }
    yield { type: 'lost' }
    await pause(clock, waits[Math.min(attempts++, waits.length - 1)] ?? 0, signal, hope)
  }
  return undefined
}

/** Whether another attempt would fail as well. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429
}

async function* readChunks(
  body: ReadableStream<Uint8Array>,
  after: string,
  clock: Clock,
  attempt: AbortController,
): AsyncGenerator<Chunk, undefined> {
  let lines: JsonObject[] = []
  let last = after
  const parser = createParser({
    onEvent: ({ id, data }) => {
      last = id ?? last
      const line = parseJson(data)
      if (isJsonObject(line)) lines.push(cleanFields(line))
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  while (true) {
    const stop = clock.after(silenceMs, () => attempt.abort())
    const { done, value } = await reader.read().finally(stop)
    if (done) return undefined
    parser.feed(decoder.decode(value, { stream: true }))
    if (lines.length === 0) continue
    yield { lines, last }
    lines = []
  }
}

/** Waits, but no longer than until there is hope. */
async function pause(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  hope: FollowOptions['hope'],
): Promise<void> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  try {
    await Promise.race([clock.sleep(ms, either), hope(either)])
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    over.abort()
  }
}
