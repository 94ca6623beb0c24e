import { describe, expect, it } from 'vitest'
import { contextReport } from '../../../src/frontend/reports/context-report.ts'
import { frameMemories } from '../../../src/memory/memory-frame.ts'
import type { Message } from '../../../src/message.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { earlier, long, looked, prompted, talked } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { call, text, user } from '../../support/messages/messages.ts'
import { answers, choose } from '../../support/models/choices.ts'

const replaced = earlier(...talked(long(9_000), 'Gone.'))
const outputs = Object.entries({ bash: 10, glob: 1_000, mcp__tracker__list_issues: 3_000, read: 2_000 })

/** A history with every kind of content, after a summary. */
const everything: readonly Message[] = [
  ...replaced,
  {
    ...user(text(long(800)), text(long(500)), text(long(20))),
    metadata: { compacted_through: replaced[1]?.id ?? '', context: '1' },
  },
  user({ type: 'image', mimeType: 'image/png', data: 'AAAA' }, text(long(40))),
  ...outputs.flatMap(([toolName, tokens], i) =>
    looked(`tc_${i}`, long(tokens)).map((message) => ({
      ...message,
      ...('toolName' in message && { toolName }),
    })),
  ),
  prompted(11_900, { type: 'thinking', thinking: long(300) }, text(long(150)), call('tc_9')),
]

function open(contextWindow: number | undefined, messages: readonly Message[], autoCompact = true) {
  const known = contextWindow === undefined ? {} : { contextWindow }
  const executor = scriptedTools({ read: gives('text'), grep: gives('text') })
  const model = choose('a/big', [answers('Fine.', { inputTokens: 5_000, outputTokens: 5 })], known)
  return openAgent({ model, newId: otherIds(), messages, executor, autoCompact })
}

function report(columns: number, ...[window, messages, autoCompact]: Parameters<typeof open>) {
  return contextReport(open(window, messages, autoCompact).engine.contextUse(), columns).split('\n')
}

const sizes: readonly (readonly [string, number])[] = [
  ['█ system prompt               4', 4],
  ['█ tools (2)                  30', 30],
  ['█ environment, files      1,013', 1_013],
  ['█ summary                   633', 633],
  ['█ your messages              76', 76],
  ['█ replies                   190', 190],
  ['█ thinking                  380', 380],
  ['█ tool calls                 38', 38],
  ['█ tool results            7,610', 7_610],
  ['   mcp__tracker__lis…     3,799', 3_799],
  ['   read                   2,532', 2_532],
  ['   glob                   1,266', 1_266],
  ['█ images, documents       2,026', 2_026],
]

/** The rows of the table with their shares of a window. */
function tableFor(window: number): readonly string[] {
  return sizes.map(([row, size]) => `${row}${`${((100 * size) / window).toFixed(1)} %`.padStart(8)}`)
}

describe('what fills the context', () => {
  it.each([
    [40, [5, 28, 7]],
    [80, [10, 57, 13]],
    [120, [12, 72, 16]],
  ] as const)('is drawn as a bar and a table in %s columns', (columns, [used, free, reserved]) => {
    expect(report(columns, 100_000, everything)).toEqual([
      'a/big',
      '12,000 of 100,000 tokens (12 %)',
      '█'.repeat(used) + '░'.repeat(free) + '▒'.repeat(reserved),
      ...tableFor(100_000),
      '░ free                   71,616  71.6 %',
      '▒ kept for the reply     16,384  16.4 %',
      'sizes by kind are estimates',
      'compacted above 83,616 tokens',
    ])
  })

  it('counts memories apart from the rest of their block', () => {
    const block = long(100) + frameMemories(['- one', `- ${long(50)}`], { shown: 2, of: 9 })
    const first = { ...user(text(block), text('hi')), metadata: { context: '1' } }
    const rows = report(40, undefined, [first]).filter((row) => /environment|memories/.test(row))
    expect(rows).toEqual(['█ environment, files        100', '█ memories (2)               91'])
  })

  it('may be more than the window', () => {
    expect(report(40, 10_000, everything, false)).toEqual([
      'a/big',
      '12,000 of 10,000 tokens (120 %)',
      '█'.repeat(40),
      ...tableFor(10_000),
      'sizes by kind are estimates',
      'compaction.auto is off; see /compact',
    ])
  })

  it('has no shares if the window is unknown', () => {
    expect(report(80, undefined, [])).toEqual([
      'a/big',
      'about 27 tokens; the window is unknown',
      '█ system prompt               3',
      '█ tools (2)                  24',
      'sizes by kind are estimates',
    ])
  })

  it('adds up to the tokens of the next request', () => {
    const { tokens, parts } = open(100_000, everything).engine.contextUse()
    expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens)
  })

  it('is estimated before the first reply, and counted by the server after it', async () => {
    const agent = open(100_000, [])
    expect(agent.engine.contextUse()).toMatchObject({ tokens: 27, isCounted: false })
    await play(agent)
    expect(agent.engine.contextUse()).toMatchObject({ tokens: 5_005, isCounted: true })
  })
})
