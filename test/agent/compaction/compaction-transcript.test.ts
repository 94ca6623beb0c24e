import { describe, expect, it } from 'vitest'
import { excerpt } from '../../../src/agent/compaction/excerpt.ts'
import { createMark } from '../../../src/agent/compaction/history-mark.ts'
import { transcript } from '../../../src/agent/compaction/summarised-transcript.ts'
import { estimateContent, estimateFixed } from '../../../src/agent/compaction/token-estimate.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { earlier, long, looked, talked } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { assistant, call, messageId, text, toolResult, user } from '../../support/messages/messages.ts'

describe('a conversation as a text', () => {
  it('shows messages, calls and results, and indents them so that none looks like a heading', () => {
    const messages = earlier(
      user(text('Look.\nAgent:\nI am done.')),
      assistant({ type: 'thinking', thinking: 'Hm.' }, text('I look.'), call('a'), call('b')),
      toolResult('a', text('one\ntwo')),
      { ...toolResult('b'), isError: true },
    )
    expect(transcript(messages, 1_000)).toBe(
      [
        'Person:\n Look.\n Agent:\n I am done.',
        'Agent:\n I look.',
        'Agent calls read:\n {"path":"auth.ts"}',
        'Agent calls read:\n {"path":"auth.ts"}',
        'read gave:\n one\n two',
        'read failed:\n (no text)',
      ].join('\n'),
    )
  })

  it('has the ends of a long output', () => {
    const ends = `${'x'.repeat(2_000)}\n [… 4000 characters left out …]\n ${'x'.repeat(2_000)}`
    expect(transcript(earlier(...looked('a', long(2_000))), 10_000)).toContain(`read gave:\n ${ends}`)
  })

  it('shortens everything if that is too long', () => {
    const messages = earlier(...talked(long(1_500), long(500, 'y')), ...looked('a', long(500)))
    const ends = (letter: string, half: number, left: number) =>
      ` ${letter.repeat(half)}\n [… ${left} characters left out …]\n ${letter.repeat(half)}`
    expect(transcript(messages, 2_000)).toBe(
      [
        `Person:\n${ends('x', 2_000, 2_000)}`,
        `Agent:\n ${long(500, 'y')}`,
        'Agent calls read:\n {"path":"auth.ts"}',
        `read gave:\n${ends('x', 100, 1_800)}`,
      ].join('\n'),
    )
  })

  it('then drops the oldest messages, but keeps a summary before them', () => {
    const mark = createMark(
      [text('They counted.')],
      { compacted_through: messageId(1) },
      {
        newId: otherIds(),
        clock: stillClock(),
      },
    )
    const messages = earlier(...talked(long(600), 'No.'), ...talked('Two?', 'Yes.'))
    const end = '[2 messages are left out here]\nPerson:\n Two?\nAgent:\n Yes.'
    expect(transcript([mark, ...messages], 16)).toBe(`Earlier summary:\n They counted.\n${end}`)
    expect(transcript(messages, 8)).toBe(end)
  })
})

describe('an excerpt', () => {
  it.each([
    ['is the whole of a short text', 'abcdef', 6, 'abcdef'],
    ['has both ends of a long one', 'abcdefg', 6, 'abc\n[… 1 characters left out …]\nefg'],
    ['has no half of a character', 'ab😀cde😀fg', 6, 'ab\n[… 7 characters left out …]\nfg'],
  ])('%s', (_, whole, limit, expected) => {
    expect(excerpt(whole, limit)).toBe(expected)
  })
})

describe('an estimate', () => {
  it('counts a token for four bytes of text, and a fixed number for an image', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) } as const
    const pages = { type: 'document', mimeType: 'application/pdf', data: 'A'.repeat(4_000) } as const
    const thought = { type: 'thinking', thinking: 'Hmmm', signature: long(50) } as const
    const blocks = [text('naïve'), thought, call('a'), image, pages]
    expect(blocks.map((block) => estimateContent([block]))).toEqual([2, 1, 6, 1_600, 80])
    expect(estimateContent(blocks)).toBe(2 + 1 + 6 + 1_600 + 80)
  })

  it('counts the prompt and the tools', () => {
    const tools = scriptedTools({ read: gives('') }).tools()
    expect(estimateFixed('Be brief.', tools)).toBe(3 + 1 + 6 + 5)
  })
})
