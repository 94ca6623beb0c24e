import { describe, expect, it } from 'vitest'
import { describeRun, type RunMoment } from '../../../src/frontend/words/run-summary.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { messageId, text, toolResult, user } from '../../support/messages/messages.ts'

const start: RunMoment = { at: 1_000, sessionId: 'a', messages: [user(text('hi'))], costUsd: 0.5 }
const wrote = (number: number, path: string, details: JsonObject = { after: 'r1' }) => ({
  ...toolResult('call_1', text('done')),
  id: messageId(number),
  details: { path, ...details },
})

describe('what a run came to', () => {
  it('is its time, and no fact that is nothing', () => {
    expect(describeRun(start, { ...start, at: 59_999 })).toBe('58 s')
    expect(describeRun(start, { ...start, at: 246_000, costUsd: undefined })).toBe('4 m 05 s')
  })

  it('counts each file once that this run changed, and what this run cost', () => {
    const earlier = { ...start, messages: [...start.messages, wrote(10, 'old.txt')] }
    const read = wrote(11, 'read.txt', { lines: 3 })
    const refused = { ...wrote(12, 'refused.txt'), isError: true }
    const messages = [wrote(13, 'a.txt'), wrote(14, 'a.txt'), wrote(15, 'b.txt'), read, refused]
    const ended = { ...earlier, messages: [...earlier.messages, ...messages], costUsd: 0.56 }
    expect(describeRun(earlier, ended)).toBe('0 s · 2 files changed · $0.06')
  })

  it('counts no file of a turn that was undone', () => {
    const messages = [wrote(21, 'a.txt'), wrote(23, 'b.txt'), wrote(24, 'c.txt')]
    const run = (kept: number) =>
      describeRun(start, { ...start, messages, undone: new Set(messages.slice(kept)) })
    expect([run(3), run(1), run(0)]).toEqual(['0 s · 3 files changed', '0 s · 1 file changed', '0 s'])
  })

  it('tells of the whole conversation that was opened since', () => {
    const other = { at: 2_000, sessionId: 'b', messages: [wrote(10, 'a.txt')], costUsd: 0.02 }
    expect(describeRun(start, other)).toBe('1 s · 1 file changed · $0.02')
  })
})
