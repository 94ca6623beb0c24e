import * as z from 'zod'
import { sessionLineSchema } from '../../json/served/session-schema.ts'
import type { AppParts } from '../app-parts.ts'
import { eventStream } from '../event-stream.ts'
import { sessionLines } from '../live/session-lines.ts'
import { stopping } from '../live/stopping.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

const taken = { error: 'expected the id of an event' }
const eventPosition = z.string(taken).regex(/^.+-\d+(\.\d+)?$/, taken)

/** The events of one session, for any number of watchers. */
export function sessionEvents({ hub, clock, ending }: Pick<AppParts, 'hub' | 'clock' | 'ending'>): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/sessions/{id}/events',
    operation: 'watchSession',
    summary: 'The events of a session as they happen, from a snapshot or from `Last-Event-ID` on',
    query: z.object({ after: eventPosition.exactOptional() }),
    body: nothing,
    answers: {
      200: {
        description: 'Server-sent events, a line of JSON each.',
        schema: sessionLineSchema,
        mediaType: 'text/event-stream',
      },
    },
    handle: async ({ params: { id = '' }, query, headers, signal: gone }) => {
      // Before the answer begins, so that a missing session is a refusal.
      await hub.row(id, gone)
      const after = headers.get('last-event-id') ?? query.after
      const signal = AbortSignal.any([gone, ending])
      const lines = (until: AbortSignal) => sessionLines(hub, id, { signal: until, after })
      return eventStream(stopping(signal, lines), { clock, signal })
    },
  })
}
