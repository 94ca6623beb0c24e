import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { interruptedText, repairHistory } from '../../../src/agent/turn/repair.ts'
import type { Message, ToolResultMessage } from '../../../src/message.ts'
import { validateHistory } from '../../../src/provider.ts'
import { growth } from '../../support/cost.ts'
import { anyHistory } from '../../support/messages/histories.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'

const asked = user(text('hello'))
const said = assistant(text('Done.'))

function madeUp(toolCallId: string): ToolResultMessage {
  return {
    type: 'tool_result',
    id: messageId(2),
    timestamp,
    toolCallId,
    toolName: 'read',
    content: [text(interruptedText)],
    isError: true,
  }
}

quickDescribe('a history', () => {
  it.each<[string, readonly Message[], readonly Message[]]>([
    [
      'that ends in a call gets its result',
      [asked, assistant(call('tc_1'))],
      [asked, assistant(call('tc_1')), madeUp('tc_1')],
    ],
    [
      'with an unanswered call in the middle gets its result there',
      [asked, assistant(call('tc_1')), asked, said],
      [asked, assistant(call('tc_1')), madeUp('tc_1'), asked, said],
    ],
    ['loses a result without a call', [asked, toolResult('tc_1', text('x')), said], [asked, said]],
    [
      'loses the second result of one call',
      [asked, assistant(call('tc_1')), toolResult('tc_1', text('one')), toolResult('tc_1', text('two'))],
      [asked, assistant(call('tc_1')), toolResult('tc_1', text('one'))],
    ],
    [
      'ignores a result that comes after another reply',
      [asked, assistant(call('tc_1')), said, toolResult('tc_1', text('late'))],
      [asked, assistant(call('tc_1')), madeUp('tc_1'), said],
    ],
    [
      'gets one missing result of parallel calls, in the order of the calls',
      [asked, assistant(call('tc_1'), call('tc_2'), call('tc_3')), toolResult('tc_3'), toolResult('tc_1')],
      [
        asked,
        assistant(call('tc_1'), call('tc_2'), call('tc_3')),
        toolResult('tc_1'),
        madeUp('tc_2'),
        toolResult('tc_3'),
      ],
    ],
    [
      'moves results before a user message',
      [asked, assistant(call('tc_1')), asked, toolResult('tc_1', text('x')), said],
      [asked, assistant(call('tc_1')), toolResult('tc_1', text('x')), asked, said],
    ],
    [
      'renames an id that one message uses twice',
      [assistant(call('tc_1'), call('tc_1')), toolResult('tc_1', text('1')), toolResult('tc_1', text('2'))],
      [
        assistant(call('tc_1'), call('tc_1_2')),
        toolResult('tc_1', text('1')),
        toolResult('tc_1_2', text('2')),
      ],
    ],
    [
      'renames an id that a later message uses again',
      [assistant(call('tc_1')), toolResult('tc_1', text('1')), assistant(call('tc_1')), toolResult('tc_1')],
      [
        assistant(call('tc_1')),
        toolResult('tc_1', text('1')),
        assistant(call('tc_1_2')),
        toolResult('tc_1_2'),
      ],
    ],
  ])('SESS-327: %s', (_, history, expected) => {
    expect(repairHistory(history)).toEqual(expected)
    validateHistory(repairHistory(history))
  })

  it('SESS-327: keeps its beginning unchanged as it grows, so that caches hit', () => {
    const history = [asked, assistant(call('tc_1')), asked, assistant(call('tc_1')), toolResult('tc_1')]
    const longer = [...history, said, asked, assistant(call('tc_1')), toolResult('tc_1')]
    const repaired = repairHistory(history)
    expect(repairHistory(longer).slice(0, repaired.length)).toEqual(repaired)
  })

  it('of ten thousand calls with one id is repaired in linear time', async () => {
    const round = [assistant(call('tc_1')), toolResult('tc_1')]
    const repaired = (rounds: number) =>
      repairHistory([asked, ...Array.from({ length: rounds }, () => round).flat()])
    expect(repaired(10_000).slice(-2)).toEqual([assistant(call('tc_1_10000')), toolResult('tc_1_10000')])
    expect(await growth(repaired, 10_000)).toBeLessThan(200)
  })
})

describe('any list of messages', () => {
  sizedIt('is repaired to one that servers accept, deterministically and idempotently', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const before = structuredClone(history)
        const repaired = repairHistory(history)
        validateHistory(repaired)
        expect(history).toEqual(before)
        expect(repairHistory(before)).toEqual(repaired)
        expect(repairHistory(repaired)).toEqual(repaired)
      }),
      { numRuns: sized(200, 40) },
    )
  })

  sizedIt('keeps every message of the user and of the model, in order', () => {
    const kept = (messages: readonly Message[]) =>
      messages.flatMap(({ type, id }) => (type === 'tool_result' ? [] : [`${type} ${id}`]))
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(kept(repairHistory(history))).toEqual(kept(history))
      }),
      { numRuns: sized(100, 20) },
    )
  })

  it('is unchanged if nothing is wrong', () => {
    const sound = fc.array(fc.nat({ max: 3 }), { maxLength: 6 }).map((rounds) =>
      rounds.flatMap((count, round): Message[] => {
        const ids = Array.from({ length: count }, (_, i) => `tc_${round}_${i}`)
        const reply = assistant(text('So.'), ...ids.map((id) => call(id)))
        return [asked, reply, ...ids.map((id) => toolResult(id, text('x')))]
      }),
    )
    fc.assert(
      fc.property(sound, (history) => {
        validateHistory(history)
        const repaired = repairHistory(history)
        expect(repaired).toEqual(history)
        expect(repaired.every((message, i) => message === history[i])).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
