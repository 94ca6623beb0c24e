import { expect } from 'vitest'
import { recordingsConformance } from '../conformance/recordings.ts'
import { wireOf } from '../support/models/wires.ts'
import { sized } from '../support/thorough.ts'
import { claude } from './playback.ts'

const nameless = (body: string) => body.replace(/^event:.*\n/gm, '')

recordingsConformance({
  protocol: 'anthropic-messages',
  count: 20,
  wire: wireOf.anthropic,
  play: claude,
  cuts: sized({ allBelow: 1_500, others: 40 }, { allBelow: 0, others: 10 }),
  said: (json) => {
    const { type, delta, content_block } = JSON.parse(json)
    return {
      text: delta?.text,
      thinking: delta?.thinking,
      calls: content_block?.type === 'tool_use' ? [content_block.name] : [],
      isOver: type === 'message_stop',
    }
  },
  facts: ({ content, usage, responseId, model }, expected) => {
    const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block] : []))
    const { inputTokens, outputTokens, cacheRead, cacheWrite } = expected.usage
    return [
      {
        textParts: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
        tokens: [usage.inputTokens, usage.outputTokens],
        usage: usage.raw,
        isSigned: thoughts.some(({ signature, redacted }) => !redacted && signature !== undefined),
        redacted: thoughts.filter(({ redacted }) => redacted).length,
        responseId,
        model,
      },
      {
        textParts: expected.textParts ?? (expected.text === '' ? [] : expect.any(Array)),
        tokens: [(inputTokens ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0), outputTokens],
        usage: expected.usageRaw,
        isSigned: expected.signaturePresent,
        redacted: expected.redactedThinkingCount ?? 0,
        responseId: expected.responseId,
        model: expected.model,
      },
    ]
  },
  forms: {
    'with other line ends': (body) => body.replaceAll('\n', '\r\n'),
    'without names': nameless,
  },
  code: (status) => (status === 401 ? 'auth' : status === 404 ? 'not_found' : 'invalid'),
})
