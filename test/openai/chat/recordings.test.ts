import { recordingsConformance } from '../../conformance/recordings.ts'
import { wireOf } from '../../support/models/wires.ts'
import { sized } from '../../support/thorough.ts'
import { chat } from './playback.ts'

interface WirePart {
  readonly type: string
  readonly text?: string
  readonly thinking?: readonly WirePart[]
}

const textOf = (parts: readonly WirePart[]): string => parts.map(({ text = '' }) => text).join('')

recordingsConformance({
  protocol: 'openai-chat',
  count: 50,
  wire: wireOf['openai-chat'],
  // The recordings leave thinking in the text as it came.
  play: (answer, options) => chat(answer, { quirks: { thinkTags: 'none' }, ...options }),
  cuts: sized({ allBelow: 1_500, others: 40 }, { allBelow: 0, others: 10 }),
  said: (json) => {
    const { choices = [] } = JSON.parse(json)
    const { delta = {}, finish_reason } = choices[0] ?? {}
    const parts: readonly WirePart[] = Array.isArray(delta.content) ? delta.content : []
    const calls: readonly { readonly function?: { readonly name?: string } }[] = delta.tool_calls ?? []
    return {
      text: typeof delta.content === 'string' ? delta.content : textOf(parts),
      thinking:
        delta.reasoning_content ||
        delta.reasoning ||
        parts.map(({ thinking = [] }) => textOf(thinking)).join(''),
      calls: calls.flatMap((call) => call.function?.name || []),
      isOver: Boolean(finish_reason),
    }
  },
  facts: ({ usage, responseId, model }, expected) => [
    { usage: usage.raw, ...(expected.complete ? { responseId, model } : {}) },
    {
      usage: expected.usageRaw,
      ...(expected.complete
        ? { responseId: expected.responseId || undefined, model: expected.model || 'asked' }
        : {}),
    },
  ],
  code: (status, body) => {
    if (status === 400) return /context length/.test(body) ? 'context_overflow' : 'invalid'
    return status === 401 ? 'auth' : status === 404 ? 'not_found' : 'rate_limited'
  },
})
