import { createTransport } from '../../src/http/transport.ts'
import { createOllamaProvider } from '../../src/ollama/provider.ts'
import { providerConformance, type ScriptedReply } from '../conformance/provider.ts'
import { type FakeReply, startFakeOllama } from '../support/fake-server.ts'
import { countingIds } from '../support/ids.ts'
import { replyLines } from '../support/ollama-lines.ts'
import type { OllamaBody } from '../support/ollama-rules.ts'
import { stillClock } from '../support/still-clock.ts'

const overloaded = `${JSON.stringify({ error: 'too much to do' })}\n`

/** Finished replies in pieces that cut characters and lines; the others have no end to send. */
function toReply({ blocks, ending }: ScriptedReply): FakeReply<OllamaBody> {
  const lines = replyLines(blocks)
  if (ending === 'end') return { sse: lines.join(''), chunkSizes: [1] }
  const deltas = lines.slice(0, -1).join('')
  return ending === 'hang' ? { sse: deltas, ending: 'hang' } : { sse: deltas + overloaded }
}

providerConformance("Ollama's own API over HTTP", async (reply) => {
  const server = await startFakeOllama(toReply(reply))
  const transport = createTransport()
  return {
    provider: createOllamaProvider({
      name: 'ollama',
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
