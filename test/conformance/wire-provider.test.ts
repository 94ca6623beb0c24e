import { providerConformance, type ScriptedReply } from '../../src/conformance/suites.ts'
import { conforms } from '../support/conforms.ts'
import type { FakeReply } from '../support/models/fake-server.ts'
import { openWire, type Wire, wires } from '../support/models/wires.ts'

/** A finished reply arrives byte by byte, which splits characters and events. The others lack their end. */
function toReply(
  { blocks, ending }: ScriptedReply,
  { events, spare, frame, busy }: Wire,
): FakeReply<unknown> {
  const all = events(blocks)
  if (ending === 'end') return { sse: all.join(''), chunkSizes: [1] }
  const deltas = all.slice(0, -1 - spare).join('')
  return ending === 'hang' ? { sse: deltas, ending } : { sse: deltas + frame(busy) }
}

for (const wire of wires)
  conforms(
    `${wire.dialect} over HTTP`,
    providerConformance(async (reply) => {
      const { server, provider } = await openWire(wire, [toReply(reply, wire)])
      return {
        provider,
        begun: () => server.requests.length,
        released: async () => {
          if (!(await server.requests[0]?.closed)) throw new Error('the server was not left')
        },
      }
    }),
  )
