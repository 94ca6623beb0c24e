import type { ProviderSubject, ReplyBlock, ScriptedReply } from '../../../src/conformance/suites.ts'
import { PipeError } from '../../../src/error.ts'
import { validateRequest } from '../../../src/provider.ts'
import type { AdapterEvent } from '../../../src/reply/accumulator.ts'
import { type Adapter, openStream } from '../../../src/stream.ts'
import { deferred } from '../clocks/deferred.ts'
import { messageId, timestamp } from '../messages/messages.ts'

/** Creates a provider in memory that gives this reply. */
export function memoryProvider(reply: ScriptedReply): ProviderSubject {
  let begun = 0
  const released = deferred()
  const adapt = adapter(reply, () => begun++, released.resolve)
  return {
    provider: {
      name: 'memory',
      stream(request, { signal }) {
        validateRequest(request)
        const speaker = { id: messageId(1), timestamp, provider: 'memory', model: request.model }
        return openStream(adapt, speaker, signal)
      },
    },
    begun: () => begun,
    released: () => released.promise,
  }
}

/** A minimal adapter. It calls `release` when its stream ends. */
function adapter({ blocks, ending }: ScriptedReply, begin: () => void, release: () => void): Adapter {
  return async function* (signal) {
    begin()
    try {
      yield* blocks.flatMap(toEvents)
      if (ending === 'fail') throw new PipeError('overloaded', 'too much to do')
      if (ending === 'hang') {
        await new Promise((_, reject) => {
          if (signal.aborted) reject(signal.reason)
          else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      }
      return { stopReason: 'tool_use' }
    } finally {
      release()
    }
  }
}

function toEvents(block: ReplyBlock, index: number): AdapterEvent[] {
  const id = `block_${index}`
  switch (block.type) {
    case 'thinking':
      return [...block.thinking].map((delta) => ({ type: 'thinking_delta', id, delta }))
    case 'text':
      return [...block.text].map((delta) => ({ type: 'text_delta', id, delta }))
    case 'tool_call': {
      const { name, arguments: args, id: callId } = block
      const delta = JSON.stringify(args)
      return [
        { type: 'tool_call_begin', id: callId, name },
        { type: 'tool_call_delta', id: callId, delta },
      ]
    }
  }
}
