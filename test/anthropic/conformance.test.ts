import { createAnthropicProvider } from '../../src/anthropic/provider.ts'
import { createTransport } from '../../src/http/transport.ts'
import { providerConformance, type ScriptedReply } from '../conformance/provider.ts'
import type { MessagesBody } from '../support/anthropic-rules.ts'
import { event, messageEvents } from '../support/anthropic-sse.ts'
import { type FakeReply, startFakeAnthropic } from '../support/fake-server.ts'
import { countingIds } from '../support/ids.ts'
import { stillClock } from '../support/still-clock.ts'

const overloaded = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })

/** Finished replies in pieces that cut characters and events; the others have no end to send. */
function toReply({ blocks, ending }: ScriptedReply): FakeReply<MessagesBody> {
  const events = messageEvents(blocks)
  if (ending === 'end') return { sse: events.join(''), chunkSizes: [1] }
  const deltas = events.slice(0, -2).join('')
  return ending === 'hang' ? { sse: deltas, ending: 'hang' } : { sse: deltas + overloaded }
}

providerConformance("Anthropic's Messages over HTTP", async (reply) => {
  const server = await startFakeAnthropic(toReply(reply))
  const transport = createTransport()
  return {
    provider: createAnthropicProvider({
      name: 'anthropic',
      baseUrl: server.baseUrl,
      transport,
      newId: countingIds(),
      clock: stillClock(),
    }),
    begun: () => server.requests.length,
    released: async () => {
      if (!(await server.requests[0]?.closed)) throw new Error('the server was not left')
    },
    close: async () => {
      transport.close()
      await server.close()
    },
  }
})
