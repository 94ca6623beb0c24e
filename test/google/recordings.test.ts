import { recordingsConformance } from '../conformance/recordings.ts'
import { wireOf } from '../support/models/wires.ts'
import { sized } from '../support/thorough.ts'
import { gemini } from './playback.ts'

interface WirePart {
  readonly text?: string
  readonly thought?: boolean
  readonly functionCall?: { readonly name?: string }
}

recordingsConformance({
  protocol: 'gemini',
  count: 15,
  wire: wireOf.gemini,
  play: gemini,
  cuts: sized({ allBelow: 1_500, others: 40 }, { allBelow: 0, others: 10 }),
  said: (json) => {
    const [{ content, finishReason }] = JSON.parse(json).candidates
    const parts: readonly WirePart[] = content?.parts ?? []
    const words = (isThought: boolean) =>
      parts.map(({ text, thought = false }) => (thought === isThought ? text : '')).join('')
    return {
      text: words(false),
      thinking: words(true),
      calls: parts.flatMap(({ functionCall }) => functionCall?.name ?? []),
      isOver: finishReason !== undefined,
    }
  },
  facts: ({ content, usage, stopReason, responseId, model }, expected) => {
    const { inputTokens, outputTokens, reasoningTokens, cacheRead } = expected.usage
    return [
      {
        tokens: [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens],
        usage: usage.raw,
        isSigned: JSON.stringify(content).includes('thoughtSignature'),
        stopReason,
        responseId,
        model,
      },
      {
        tokens: [inputTokens, (outputTokens ?? 0) + (reasoningTokens ?? 0), cacheRead ?? undefined],
        usage: expected.usageRaw,
        isSigned: expected.signaturePresent,
        stopReason: expected.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
        responseId: expected.responseId,
        model: expected.model,
      },
    ]
  },
  forms: {
    'with other line ends': (body) => body,
    'as one list': (body) =>
      `[${Array.from(body.matchAll(/^data: ?(\{.*)/gm), ([, chunk]) => chunk).join('\r\n,')}]`,
  },
  code: (status, body) => {
    if (status === 404) return 'not_found'
    return /exceeds the maximum number of tokens/.test(body) ? 'context_overflow' : 'invalid'
  },
})
