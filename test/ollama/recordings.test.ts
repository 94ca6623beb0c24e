import { expect } from 'vitest'
import { recordingsConformance } from '../conformance/recordings.ts'
import { wireOf } from '../support/models/wires.ts'
import { sized } from '../support/thorough.ts'
import { ollama } from './playback.ts'

recordingsConformance({
  protocol: 'ollama-native',
  count: 5,
  wire: wireOf.ollama,
  play: ollama,
  cuts: sized({ allBelow: 1_500, others: 40 }, { allBelow: 0, others: 10 }),
  said: (json) => {
    const { message, response, done } = JSON.parse(json)
    const calls: readonly { readonly function: { readonly name: string } }[] = message?.tool_calls ?? []
    return {
      text: message?.content ?? response,
      thinking: message?.thinking,
      calls: calls.map((call) => call.function.name),
      isOver: done === true,
    }
  },
  facts: ({ usage, stopReason, model }, expected) => [
    { tokens: [usage.inputTokens, usage.outputTokens], usage: usage.raw, stopReason, model },
    {
      tokens: [expected.usage.inputTokens ?? 0, expected.usage.outputTokens ?? 0],
      usage: expect.objectContaining({ total_duration: expect.any(Number) }),
      stopReason:
        expected.stopReasonRaw !== 'stop'
          ? expect.any(String)
          : expected.toolCalls.length > 0
            ? 'tool_use'
            : 'end_turn',
      model: expected.model,
    },
  ],
})
