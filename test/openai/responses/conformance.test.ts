import { createTransport } from '../../../src/http/transport.ts'
import { createResponsesProvider } from '../../../src/openai/responses/provider.ts'
import { providerConformance, type ScriptedReply } from '../../conformance/provider.ts'
import { type FakeReply, startFakeResponses } from '../../support/fake-server.ts'
import { countingIds } from '../../support/ids.ts'
import type { ResponsesBody } from '../../support/responses-rules.ts'
import { event, responseEvents } from '../../support/responses-sse.ts'
import { stillClock } from '../../support/still-clock.ts'

const overloaded = event('error', { code: 'server_is_overloaded', message: 'Overloaded', param: null })

/** Finished replies in pieces that cut characters and events; the others have no end to send. */
function toReply({ blocks, ending }: ScriptedReply): FakeReply<ResponsesBody> {
  const events = responseEvents(blocks)
  if (ending === 'end') return { sse: events.join(''), chunkSizes: [1] }
  const deltas = events.slice(0, -1).join('')
  return ending === 'hang' ? { sse: deltas, ending: 'hang' } : { sse: deltas + overloaded }
}

providerConformance("OpenAI's Responses over HTTP", async (reply) => {
  const server = await startFakeResponses(toReply(reply))
  const transport = createTransport()
  return {
    provider: createResponsesProvider({
      name: 'openai',
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
