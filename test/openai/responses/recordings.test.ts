import { expect } from 'vitest'
import { recordingsConformance } from '../../conformance/recordings.ts'
import { wireOf } from '../../support/models/wires.ts'
import { sized } from '../../support/thorough.ts'
import { responses } from './playback.ts'

const isCall = /^(function|custom_tool)_call$/

recordingsConformance({
  protocol: 'openai-responses',
  count: 25,
  wire: wireOf['openai-responses'],
  play: responses,
  cuts: sized({ allBelow: 1_500, others: 40 }, { allBelow: 0, others: 10 }),
  said: (json) => {
    const { type, delta, item } = JSON.parse(json)
    return {
      text: type === 'response.output_text.delta' ? delta : '',
      thinking: /^response\.reasoning\w*\.delta$/.test(type) ? delta : '',
      calls: type === 'response.output_item.added' && isCall.test(item.type) ? [item.name] : [],
      isOver: type === 'response.completed',
    }
  },
  facts: ({ usage, stopReason, responseId, model }, expected) => {
    const { inputTokens, outputTokens, cacheRead, reasoningTokens } = expected.usage
    return [
      { usage: { ...usage, cacheWriteTokens: 0 }, stopReason, responseId, model },
      {
        thinking: expected.thinkingParts?.join('\n\n') ?? expected.thinking,
        usage: {
          inputTokens,
          outputTokens,
          cacheReadTokens: cacheRead,
          cacheWriteTokens: 0,
          reasoningTokens,
          raw: expected.usageRaw,
        },
        stopReason: expected.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
        responseId: expected.responseId,
        model: expected.model,
      },
    ]
  },
  forms: {
    'without names, with other line ends': (body) =>
      body.replace(/^event:.*\n/gm, '').replaceAll('\n', '\r\n'),
    'without text in pieces': (body) => {
      const whole = body.replace(/^data: ?\{.*"type": ?"response\.\w+\.delta".*$/gm, 'data:')
      expect(whole).not.toContain('"delta":')
      return whole
    },
    'with only the last event': (body) => {
      const last = body.split('\n').findLast((line) => line.includes('"response.completed"'))
      return `${last}\n\n`
    },
  },
  code: (_, body) => (body.includes('Incorrect API key') ? 'auth' : 'invalid'),
})
