import { describe, expect, it } from 'vitest'
import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import type { AgentEvent } from '../../src/event.ts'
import { announce, asQuestion, byLine, endOf } from '../../src/line/announce.ts'
import { Lines } from '../../src/line/text.ts'
import { bashEnds, bashRuns, said, type Unstamped } from '../ink/conversation.ts'
import { countingIds } from '../support/messages/ids.ts'

const agentId = countingIds().agent()

function collect() {
  let text = ''
  const output = {
    isTerminal: true,
    write: (more: string) => {
      text += more
    },
  }
  return { output, text: () => text }
}

function announced(...events: readonly Unstamped[]): string {
  const { output, text } = collect()
  const lines = new Lines(output, output, lookOf)
  events.forEach((event, i) => {
    const stamped: AgentEvent = { ...event, agentId, seq: i + 1 }
    announce(stamped, lines)
  })
  return text()
}

describe('what a screen reader gets', () => {
  it('tells calls and their ends in words, without marks', () => {
    const told = announced(said('go'), ...bashRuns('tc_1', 'make', ''), bashEnds('tc_1', 'no rule', true))
    expect(told).toBe('Working.\nCall: bash make\nFailed after 1.2 s: no rule\n')
    expect(announced(bashEnds('tc_1', 'made'))).toBe('Finished after 1.2 s\n')
  })

  it('tells that a call was denied', () => {
    const denied = { ...bashEnds('tc_1', 'Permission denied', true), details: { permission: 'denied' } }
    expect(announced(denied)).toBe('Not run.\n')
  })

  it('tells retries as other users see them', () => {
    const retry = { type: 'retry', attempt: 1, reason: 'busy', waitMs: 4_000, discarded: [] } as const
    expect(announced(retry)).toBe('pipe: busy; trying again in 4.0 s\n')
  })

  it('names a question as one, once', () => {
    expect(asQuestion('\nAllow bash?\n  1 Yes')).toBe('\nAsking: Allow bash?\n  1 Yes')
    expect(asQuestion('answer yes or no\n> ')).toBe('answer yes or no\n> ')
  })

  it('tells how long a turn took', () => {
    expect([endOf(12_400, false), endOf(65_000, true)]).toEqual([
      'Done in 12 s.\n',
      'Ended after 1 m 05 s.\n',
    ])
  })

  it('gets text in whole lines', () => {
    const { output, text } = collect()
    const lines = byLine(output)
    lines.write('One ')
    lines.write('line')
    expect(text()).toBe('')
    lines.write('.\nTwo')
    expect(text()).toBe('One line.\n')
    lines.write('\n')
    expect(text()).toBe('One line.\nTwo\n')
  })
})
