import { createGeminiProvider } from '../../src/google/provider.ts'
import { createTransport } from '../../src/http/transport.ts'
import { providerConformance, type ScriptedReply } from '../conformance/provider.ts'
import { type FakeReply, startFakeGemini } from '../support/fake-server.ts'
import type { GeminiBody } from '../support/gemini-rules.ts'
import { event, geminiEvents } from '../support/gemini-sse.ts'
import { createHandClock } from '../support/hand-clock.ts'
import { countingIds } from '../support/ids.ts'

const overloaded = event({
  error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
})

/** Finished replies in pieces that cut characters and events; the others have no end to send. */
function toReply({ blocks, ending }: ScriptedReply): FakeReply<GeminiBody> {
  const events = geminiEvents(blocks)
  if (ending === 'end') return { sse: events.join(''), chunkSizes: [1] }
  const deltas = events.slice(0, -1).join('')
  return ending === 'hang' ? { sse: deltas, ending: 'hang' } : { sse: deltas + overloaded }
}

providerConformance('Gemini over HTTP', async (reply) => {
  const server = await startFakeGemini(toReply(reply))
  const transport = createTransport()
  return {
    provider: createGeminiProvider({
      name: 'gemini',
      baseUrl: server.baseUrl,
      transport,
      newId: countingIds(),
      clock: createHandClock(),
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
