import { deferred } from '../clocks/deferred.ts'
import type { FakeReply } from '../models/fake-server.ts'
import { replyEvents } from '../vendors/chat-sse.ts'
import type { ReceivedEvent, Served } from './served.ts'

/** One line of a stream of events. */
export interface WatchedLine {
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: lines are checked against the server's description
  readonly json: any
}

/** A client that watches a stream of events, and keeps all its lines. */
export interface Watching {
  readonly lines: readonly WatchedLine[]
  /** Reads up to the first new line that fits, and returns it. Throws if the stream ends before. */
  until(fits: (line: WatchedLine) => boolean): Promise<WatchedLine>
  /** Reads up to the first new line of this type. */
  untilType(type: string): Promise<WatchedLine>
  /** Goes away. */
  close(): Promise<void>
}

/** Watches a stream of events. That of a session has begun when this resolves, with its first line. */
export async function watch(
  { events }: Pick<Served, 'events'>,
  path: string,
  lastEventId?: string,
): Promise<Watching> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const received = events(path, { headers })
  const lines: WatchedLine[] = []
  let first: ReturnType<typeof received.next> | undefined = received.next()
  if (path.includes('/sessions/')) await first
  const until = async (fits: (line: WatchedLine) => boolean) => {
    for (;;) {
      const { done, value } = await (first ?? received.next())
      first = undefined
      if (done === true) throw new Error(`the events of ${path} ended after ${lines.length} lines`)
      const line = lineOf(value)
      lines.push(line)
      if (fits(line)) return line
    }
  }
  return {
    lines,
    until,
    untilType: (type) => until(({ json }) => json.type === type),
    close: async () => void (await received.return(undefined)),
  }
}

/** Waits until no turn of a session runs, and returns the position after it. The end of a turn is told before the next may begin. */
export async function settled(
  { call }: Pick<Served, 'call'>,
  id: string,
): Promise<{ readonly position: string | undefined }> {
  for (;;) {
    const { json } = await call('GET', `/v1/sessions/${id}`)
    const { is_running: isRunning, snapshot } = json as SessionAnswer
    if (!isRunning) return { position: snapshot.position }
  }
}

interface SessionAnswer {
  readonly is_running: boolean
  readonly snapshot: { readonly position: string | undefined }
}

function lineOf({ id, json }: ReceivedEvent): WatchedLine {
  return { id, json }
}

/** A reply of the model that waits for a word of the test. */
export interface HeldReply {
  readonly reply: FakeReply
  /** Resolves when the model was asked. */
  readonly asked: Promise<void>
  /** Lets the model answer. */
  answer(): void
}

/** Makes a reply that begins at once with the first text, and ends with the second once the test lets it. */
export function holding(begin: string, end: string): HeldReply {
  const [asked, gate] = [deferred(), deferred()]
  return {
    asked: asked.promise,
    answer: () => gate.resolve(),
    reply: async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const [first = ''] = replyEvents([{ type: 'text', text: begin }])
      response.write(first)
      asked.resolve()
      await gate.promise
      for (const event of replyEvents([{ type: 'text', text: end }])) response.write(event)
      response.end()
    },
  }
}
