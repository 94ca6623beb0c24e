import fc from 'fast-check'
import { expect } from 'vitest'
import { cutPoint } from '../../../src/agent/compaction/compaction-cut.ts'
import { contextOf } from '../../../src/agent/compaction/context.ts'
import { createMark, type Marked } from '../../../src/agent/compaction/history-mark.ts'
import { repairHistory } from '../../../src/agent/turn/repair.ts'
import { type Message, textContent } from '../../../src/message.ts'
import { validateHistory } from '../../../src/provider.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { anyHistory, earlier, long, looked, talked } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { assistant, call, messageId, text, toolResult, user } from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'

const ports = { newId: otherIds(), clock: stillClock() }
const output = 'x'.repeat(401)
const history = earlier(
  user(text('One?')),
  ...looked('tc_1', output),
  assistant(text('One.')),
  user(text('Two?')),
  ...looked('tc_2', output),
)

function mark(words: string, marked: Marked): Message {
  return createMark([text(words)], marked, ports)
}

function through(index: number) {
  const id = history[index]?.id
  if (id === undefined) throw new Error(`there is no message ${index}`)
  return id
}

function outline(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => textContent(message).slice(0, 27) || message.type)
}

quickDescribe('the context of a history', () => {
  const note = '[left out to make room: 401'
  const tail = ['Two?', 'assistant', output.slice(0, 27)]
  it.each<[string, readonly Message[], readonly string[]]>([
    ['is all of it without a mark', [], ['One?', 'assistant', output.slice(0, 27), 'One.', ...tail]],
    [
      'begins with a mark and continues after the messages that it replaces',
      [mark('S', { compacted_through: through(3) })],
      ['S', ...tail],
    ],
    [
      'has notes for the outputs that a pruning mark covers, without the mark',
      [mark('P', { pruned_through: through(3) })],
      ['One?', 'assistant', note, 'One.', ...tail],
    ],
    [
      'begins with the last mark of several',
      [mark('S', { compacted_through: through(0) }), mark('T', { compacted_through: through(3) })],
      ['T', ...tail],
    ],
    [
      'has both for a mark of both kinds',
      [mark('S', { compacted_through: through(3), pruned_through: through(6) })],
      ['S', 'Two?', 'assistant', note],
    ],
    [
      'keeps its notes if a later mark covers less',
      [mark('P', { pruned_through: through(6) }), mark('S', { compacted_through: through(3) })],
      ['S', 'Two?', 'assistant', note],
    ],
    [
      'ignores a mark whose message is missing',
      [mark('S', { compacted_through: through(3) }), mark('T', { compacted_through: messageId(200) })],
      ['S', ...tail],
    ],
  ])('%s', (_, marks, expected) => {
    expect(outline(contextOf([...history, ...marks]))).toEqual(expected)
  })

  it('reuses the message objects of the history if nothing is left out', () => {
    const sent = contextOf([...history, mark('P', { pruned_through: through(3) })])
    expect(sent.filter((message) => !history.includes(message))).toEqual([
      {
        ...history[2],
        content: [
          text('[left out to make room: 401 characters that read gave; call it again if that is needed]'),
        ],
      },
    ])
  })

  it('has a note for an image in a result, but none for a short output', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const results = earlier(
      assistant(call('a'), call('b')),
      toolResult('a', image),
      toolResult('b', text('x'.repeat(400))),
    )
    const marked = [...results, mark('P', { pruned_through: results[2]?.id ?? messageId(1) })]
    expect(contextOf(marked).slice(1)).toEqual([
      {
        ...results[1],
        content: [
          text(
            '[left out to make room: an image or document that read gave; call it again if that is needed]',
          ),
        ],
      },
      results[2],
    ])
  })

  it('keeps the instructions that came with a result when its output is left out', () => {
    const rules = text('\n\n[Instructions that count for what this call is about:\nUse tabs.\n]')
    const added = { metadata: { instructions: '/src/AGENTS.md' } }
    const results = earlier(assistant(call('a')), { ...toolResult('a', text(output), rules), ...added })
    const marked = [...results, mark('P', { pruned_through: results[1]?.id ?? messageId(1) })]
    expect(contextOf(marked)[1]).toEqual({
      ...results[1],
      content: [
        text('[left out to make room: 401 characters that read gave; call it again if that is needed]'),
        rules,
      ],
    })
  })
})

quickDescribe('the cut of a conversation', () => {
  const work = looked('tc_1', long(1_000))
  it.each<[string, readonly Message[], number, number]>([
    ['is nowhere in an empty one', [], 100, 0],
    ['is nowhere in one message', [user(text('One?'))], 100, 0],
    ['keeps the messages that fit', [...talked('One?', 'Yes.'), ...talked('Two?', 'Yes.')], 1, 3],
    ['is not before a result', [...talked('One?', 'Yes.'), ...work, assistant(text('So.'))], 500, 4],
    [
      'is before the call if its result fits',
      [...talked('One?', 'Yes.'), ...work, assistant(text('So.'))],
      1_007,
      2,
    ],
    ['is before a call with a new result of any size', [...talked('One?', 'Yes.'), ...work], 10, 2],
    [
      'is also there with a message after it',
      [...talked('One?', 'Yes.'), ...work, user(text('Stop.'))],
      10,
      2,
    ],
    [
      'is before a user message if that keeps at least half as much',
      [...looked('tc_2', 'x'), ...talked(long(60), 'Yes.'), assistant(text('So.'))],
      100,
      2,
    ],
    [
      'is before a reply if the message would keep less',
      [...looked('tc_2', 'x'), user(text('One?')), ...looked('tc_3', long(60)), ...talked(long(10), 'Yes.')],
      77,
      3,
    ],
    [
      'is not between a call and a result that comes after a user message',
      [
        ...talked('One?', 'Yes.'),
        assistant(call('tc_1')),
        user(text('Stop.')),
        toolResult('tc_1', text('x')),
        assistant(text('So.')),
      ],
      4,
      5,
    ],
  ])('%s', (_, messages, keep, expected) => {
    expect(cutPoint(messages, keep)).toBe(expected)
  })
})

sizedIt('cuts any history so that servers accept it and no kept call loses its result', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat({ max: 60 }), fc.boolean(), (messages, keep, pruned) => {
      const cut = cutPoint(contextOf(messages), keep)
      const last = messages[cut - 1]
      fc.pre(last !== undefined)
      const marked = { compacted_through: last.id, ...(pruned ? { pruned_through: last.id } : {}) }
      const sent = contextOf([...messages, mark('S', marked)])
      validateHistory(repairHistory(sent))
      expect(sent.slice(1)).toEqual(messages.slice(cut))
      expect(resultsAfter(repairHistory(sent), cut, messages)).toEqual(
        resultsAfter(repairHistory(messages), cut, messages),
      )
    }),
    { numRuns: sized(300, 60) },
  )
})

/** The results that follow the kept replies. */
function resultsAfter(repaired: readonly Message[], cut: number, messages: readonly Message[]) {
  const kept = new Set(messages.slice(cut).flatMap(({ id, type }) => (type === 'assistant' ? [id] : [])))
  let follows = false
  return repaired.flatMap((message) => {
    if (message.type !== 'tool_result') {
      follows = kept.has(message.id)
      return []
    }
    return follows ? [message.content] : []
  })
}
