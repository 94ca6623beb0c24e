import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/event.ts'
import { CleanEvents } from '../../src/ink/clean.ts'
import { countingIds } from '../support/messages/ids.ts'
import { asks } from './conversation.ts'

const agentId = countingIds().agent()
const stamp = { agentId, seq: 1 }
const delta = (words: string, id = 'a'): AgentEvent => ({ type: 'text_delta', id, delta: words, ...stamp })
const output = (chunk: string, callId: string): AgentEvent => ({
  type: 'tool_output',
  callId,
  stream: 'stdout',
  chunk,
  ...stamp,
})

function cleaned(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const cleaning = new CleanEvents()
  return events.flatMap((event) => cleaning.take(event))
}

describe('agent events', () => {
  it('lose escape sequences, also those split over several chunks', () => {
    expect(cleaned([delta('a\u001b'), delta('[2'), delta('Jb')])).toEqual([delta('a'), delta(''), delta('b')])
    expect(cleaned([output('a\u001b', '1'), output('b', '2'), output('[2Jc', '1')])).toEqual([
      output('a', '1'),
      output('b', '2'),
      output('c', '1'),
    ])
  })

  it('keep text that only looked like an escape sequence, before the next event', () => {
    const end: AgentEvent = { type: 'state', from: 'thinking', to: 'toolcall', ...stamp }
    expect(cleaned([delta('a \u001b]0;rest'), end])).toEqual([delta('a '), delta('rest'), end])
    expect(cleaned([delta('\u001b]0;one'), delta('two', 'b')])).toEqual([
      delta(''),
      delta('one'),
      delta('two', 'b'),
    ])
  })

  it('show hidden characters in a question', () => {
    const question: AgentEvent = { ...asks('ls \u202e \u001b[8mrm'), ...stamp }
    expect(JSON.stringify(cleaned([question]))).toContain('ls \\\\u202e \\\\x1b[8mrm')
  })
})
