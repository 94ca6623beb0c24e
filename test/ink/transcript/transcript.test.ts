import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { transcriptOf } from '../../../src/ink/transcript/transcript.ts'
import { assistant, call, text, toolResult, user } from '../../support/messages/messages.ts'

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

  it('shows a mark of the loop as a note, not as a user message', () => {
    const summary = user(text('[The conversation before this, as a summary]\n\nIt was long.'))
    const mark = { ...summary, metadata: { compacted_through: user(text('x')).id } }
    expect(transcriptOf([mark], 80, lookOf)).toEqual([
      { type: 'note', level: 'info', text: 'the conversation above was summarised' },
    ])
  })
})
