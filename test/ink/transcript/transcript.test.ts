import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { isUnanswered, transcriptOf } from '../../../src/ink/transcript/transcript.ts'
import type { StopReason } from '../../../src/usage.ts'
import { assistant, call, text, toolResult, user } from '../../support/messages/messages.ts'
import { plain } from '../screen-text.ts'

describe('a resumed conversation', () => {
  it('shows messages and calls, without the context of a message', () => {
    const asked = { ...user(text('In /tmp.'), text('Read it.')), metadata: { context: '1' } }
    const entries = transcriptOf(
      [
        asked,
        assistant(text('I **look**.'), call('call_1')),
        toolResult('call_1', text('one\ntwo')),
        assistant(call('call_2')),
      ],
      80,
      lookOf,
    )
    expect(entries).toEqual([
      { type: 'user', text: 'Read it.' },
      {
        type: 'block',
        block: { type: 'markdown', text: 'I **look**.', indent: 0, gap: false },
        first: true,
      },
      {
        type: 'tool',
        name: 'read',
        look: lookOf('read'),
        arguments: { path: 'auth.ts' },
        isError: false,
        text: 'one\ntwo',
      },
    ])
  })

  it('has no answer to its last message, unless that may have gone to the turn before it', () => {
    const called = [assistant(call('call_1', 'todo')), toolResult('call_1', text('ok'))]
    expect(isUnanswered([user(text('go'))])).toBe(true)
    expect(isUnanswered([user(text('go')), assistant(text('Done.'))])).toBe(false)
    expect(isUnanswered([user(text('go')), ...called, user(text('one')), user(text('two'))])).toBe(false)
  })

  it('does not say that a message has no answer if one answers it together with the next', () => {
    const messages = [user(text('go')), user(text('on')), assistant(text('Done.'))]
    expect(transcriptOf(messages, 80, lookOf).flatMap((entry) => plain(drawEntry(entry, 60)))).toEqual([
      '▌ go',
      '▌ on',
      '  Done.',
    ])
  })

  it('says that an answer was interrupted or failed, below the list of its turn', () => {
    const planned = { ...call('call_1', 'todo'), arguments: { items: [] } }
    const todo = [{ text: 'Test', status: 'pending' }]
    const shownEnd = (stopReason: StopReason) =>
      transcriptOf(
        [
          user(text('go')),
          assistant(planned),
          { ...toolResult('call_1', text('0/1')), toolName: 'todo', details: { todo } },
          { ...assistant(text('I')), stopReason },
          user(text('on')),
        ],
        80,
        lookOf,
      )
        .slice(2)
        .map((entry) => plain(drawEntry(entry, 60)))
    expect(shownEnd('aborted')).toEqual([['  ○ Test'], ['  – interrupted'], ['▌ on']])
    expect(shownEnd('error')).toEqual([['  ○ Test'], ['  ✗ failed'], ['▌ on']])
    expect(shownEnd('end_turn')).toEqual([['  ○ Test'], ['▌ on']])
  })

  it('shows a mark of the loop as a note, not as a user message', () => {
    const summary = user(text('[The conversation before this, as a summary]\n\nIt was long.'))
    const mark = { ...summary, metadata: { compacted_through: user(text('x')).id } }
    expect(transcriptOf([mark], 80, lookOf)).toEqual([
      { type: 'note', level: 'info', text: 'the conversation above was summarised' },
    ])
  })
})
