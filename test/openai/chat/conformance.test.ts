import { createTransport } from '../../../src/http/transport.ts'
import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import { providerConformance, type ScriptedReply } from '../../conformance/provider.ts'
import { replyEvents } from '../../support/chat-sse.ts'
import { type FakeReply, startFakeServer } from '../../support/fake-server.ts'
import { createHandClock } from '../../support/hand-clock.ts'
import { countingIds } from '../../support/ids.ts'

const overloaded = `data: ${JSON.stringify({ error: { message: 'too much to do', code: 503 } })}\n\n`

/** Finished replies in pieces that cut characters and events; the others have no end to send. */
function toReply({ blocks, ending }: ScriptedReply): FakeReply {
  const events = replyEvents(blocks)
  if (ending === 'end') return { sse: events.join(''), chunkSizes: [1] }
  const deltas = events.slice(0, -3).join('')
  return ending === 'hang' ? { sse: deltas, ending: 'hang' } : { sse: deltas + overloaded }
}

providerConformance('Chat Completions over HTTP', async (reply) => {
  const server = await startFakeServer(toReply(reply))
  const transport = createTransport()
  return {
    provider: createChatProvider({
      name: 'openai',
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
