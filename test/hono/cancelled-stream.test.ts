import { expect, it } from 'vitest'
import { eventStream, type SentEvent } from '../../src/hono/event-stream.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { stillClock } from '../support/clocks/still-clock.ts'

it('a stream that is cancelled while it ends is not closed twice', async () => {
  const gone = new AbortController()
  const returned = deferred()
  const events: AsyncIterator<SentEvent, undefined> = {
    next: () => new Promise(() => {}),
    return: async () => {
      await returned.promise
      return { done: true, value: undefined }
    },
  }
  const { body } = eventStream(events, { clock: stillClock(), signal: gone.signal })
  // A client that goes away does both: its signal fires, and its reader cancels.
  gone.abort()
  const cancelled = body?.cancel()
  returned.resolve()
  await expect(cancelled).resolves.toBeUndefined()
  // A second close would be an unhandled rejection, which fails the run.
  await new Promise((resolve) => setImmediate(resolve))
})
