import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { transcriptOf } from '../../../src/ink/transcript/transcript.ts'
import { assistant, text } from '../../support/messages/messages.ts'
import { delta, emptyScreen, fold, said, thought, turnEnd } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const long =
  'First I look at the test.\n\nThen I look at the code that it calls, and then I know what to change in it.'
const size = { columns: 40, rows: 20 }

describe('thinking', () => {
  it('shows its elapsed time and its last two rows', () => {
    const thinking = fold(emptyScreen(size), [said('go'), thought(long)])
    const later = reduce(thinking, { type: 'tick', now: 12_900 })
    expect(plain(drawLive(later)).slice(0, 4)).toEqual([
      '',
      '  ⠋ thinking                        12 s',
      '    look at the code that it calls, and',
      '    then I know what to change in it.',
    ])
  })

  it('leaves one line with its duration and its first words', () => {
    const thinking = fold(emptyScreen(size), [said('go'), thought(long)])
    const { finished } = fold(thinking, [delta('Done.'), turnEnd], 4_700)
    expect(plain(finished.slice(1, 2).flatMap((entry) => drawEntry(entry, 40)))).toEqual([
      '  ✻ thought for 4 s  First I look at th…',
    ])
  })

  it('is kept apart from later thinking, and omitted if blank', () => {
    const blank = { type: 'thinking_delta', id: 'thinking_0', delta: '\n' } as const
    const second = { type: 'thinking_delta', id: 'thinking_2', delta: 'Two.' } as const
    const { finished } = fold(emptyScreen(size), [blank, thought('One.'), second, turnEnd])
    expect(finished).toEqual([
      { type: 'thinking', beginning: 'One.', text: 'One.', durationMs: 1 },
      { type: 'thinking', beginning: 'Two.', text: 'Two.', durationMs: 1 },
    ])
  })

  it('draws only its start and its end, however long it is', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `word ${i} `)
    const { draft } = fold(emptyScreen(size), words.map(thought))
    const whole = words.join('')
    const { beginning, end } = draft?.type === 'thinking' ? draft.thinking : { beginning: '', end: '' }
    expect([beginning, whole.slice(-end.length)]).toEqual([whole.slice(0, 1_000), end])
    expect([end.length >= 1_000, end.length <= 2_000]).toEqual([true, true])
  })

  it('is folded without a duration in a resumed conversation', () => {
    const entries = transcriptOf(
      [assistant({ type: 'thinking', thinking: long.repeat(50) }, text('Done.'))],
      80,
      lookOf,
    )
    expect(plain(entries.flatMap((entry) => drawEntry(entry, 40)))).toEqual([
      '  ✻ thought  First I look at the test. …',
      '  Done.',
    ])
  })
})
