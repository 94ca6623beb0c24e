import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { editPrompt } from '../../../src/ink/prompt/editing.ts'
import { sentText } from '../../../src/ink/prompt/prompt.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import type { Screen } from '../../../src/ink/state.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { cutInto } from '../../support/vendors/deltas.ts'
import {
  asks,
  bashEnds,
  bashRuns,
  delta,
  emptyScreen,
  fold,
  roundEnd,
  said,
  thought,
  turnEnd,
  type Unstamped,
} from '../conversation.ts'
import { plain } from '../screen-text.ts'

const newId = countingIds()
const transcript = ({ finished }: Screen) =>
  plain(finished.flatMap((entry, i) => drawEntry(entry, 60, finished[i - 1])))
const live = (screen: Screen) => plain(drawLive(screen))
const rule = '─'.repeat(60)

describe('a turn on the screen', () => {
  it('shows which files cannot be undone, and nothing if all can', () => {
    const notes = ['a is left out', 'b is left out']
    const saved = { type: 'checkpoint', id: 'abc', notes: [] } as const
    const screen = fold(emptyScreen(), [saved, { type: 'checkpoint', notes }])
    expect(screen.finished).toEqual(notes.map((text) => ({ type: 'note', level: 'info', text })))
  })

  it('TERM-236: reports invisible characters removed from a message, also from its hidden context', () => {
    const message = {
      ...user(text('context'), text('go')),
      metadata: { context: '1', invisible_removed: '1' },
    }
    const screen = fold(emptyScreen(), [{ type: 'turn_start', message }])
    expect(screen.finished).toEqual([
      { type: 'user', text: 'go' },
      {
        type: 'note',
        level: 'info',
        isPart: true,
        text: '1 invisible character removed from what is sent',
      },
    ])
  })

  it('leaves messages and calls in the transcript, in order', () => {
    const screen = fold(emptyScreen(), [
      said('fix it'),
      thought('I should look.'),
      delta('I will **look**.\n\nThen '),
      ...bashRuns('call_1', 'npm test', 'one\ntwo\n'),
      bashEnds('call_1', 'one\ntwo'),
      delta('Done.', 'text_2'),
      roundEnd,
      turnEnd,
    ])
    expect(transcript(screen)).toEqual([
      '▌ fix it',
      '',
      '  ✻ thought for 1 s  I should look.',
      '',
      '  I will look.',
      '',
      '  Then',
      '',
      '  ● bash    npm test                        2 lines    1.2 s',
      '',
      '  Done.',
      '',
      '  ✓ 0 s · tests ✓',
    ])
    expect(live(screen)).toEqual([
      '',
      rule,
      `› Ask for more · @ files · / commands${' '.repeat(17)}? keys`,
      rule,
      `ask · model${' '.repeat(32)}main  1.2k tokens`,
    ])
  })

  it('shows the draft, running calls and queued messages below the transcript', () => {
    const running = fold(emptyScreen(), [
      said('go'),
      ...bashRuns('call_1', 'make', 'a\nb\nc\n'),
      delta('On it: **so'),
    ])
    const queued = reduce(running, {
      type: 'queued',
      message: {
        id: newId.message(),
        kind: 'next',
        text: 'and hurry',
        written: { text: 'and hurry', pastes: [] },
      },
    })
    expect(live(queued)).toEqual([
      '',
      '  On it: **so',
      '',
      '  ⠋ bash    make                                         0 s',
      '            a',
      '            b',
      '            c',
      '',
      '  ↳ next: and hurry                      Alt+↑ takes it back',
      '› Add to this turn…',
      '⠋ running 0 s · Esc stops · ask · model                 main',
    ])
  })

  it('replaces each control character of pasted text with a visible one', () => {
    const text = 'a\u001b]0;x\u0007b\u009b\u202ec'
    const prompt = { ...emptyScreen().prompt, text, cursor: text.length }
    const screen = reduce(emptyScreen(), { type: 'edited', prompt, at: 0 })
    expect(live(screen)[2]).toBe('› a\ufffd]0;x\ufffdb\ufffd\ufffdc')
  })

  it('shows a failure with the last line of its output, if none says why', () => {
    const output = Array.from({ length: 9 }, (_, i) => `line ${i}`).join('\n')
    const screen = fold(emptyScreen(), [...bashRuns('call_1', 'false', ''), bashEnds('call_1', output, true)])
    expect(transcript(screen)).toEqual([
      '  ✗ bash    false                                      1.2 s',
      '            line 8                                ^O 9 lines',
    ])
  })

  it('names the next model on a fallback, and drops the partial reply', () => {
    const [from, to] = ['test/model', 'other/model']
    const screen = fold(emptyScreen(), [
      said('go'),
      delta('Half a'),
      { type: 'fallback', from, to, reason: 'overloaded', discarded: ['text_1'] },
      { type: 'fallback', from: to, to: from, reason: 'no route', discarded: [] },
      turnEnd,
    ])
    expect(transcript(screen).slice(2)).toEqual([
      '  overloaded; other/model continues for test/model',
      '  no route; test/model continues for other/model',
    ])
  })

  it('notes once why a model other than the configured one answers', () => {
    const start = (reason?: string): Unstamped => ({
      type: 'round_start',
      round: 1,
      provider: 'other',
      model: 'm',
      ...omitUndefined({ reason }),
    })
    const screen = fold(emptyScreen(), [
      start('sees images'),
      start('sees images'),
      start(),
      start('has room'),
    ])
    expect(transcript(screen)).toEqual(['  other/m answers: sees images', '  other/m answers: has room'])
  })

  it('reports a summarised context and its new size', () => {
    const compaction = {
      type: 'compaction',
      trigger: 'auto',
      summary: 'All.',
      tokensBefore: 180_000,
      tokensAfter: 24_000,
    } as const
    const screen = fold(emptyScreen(), [compaction])
    expect(transcript(screen)).toEqual(['  context summarised: 180k → 24k tokens'])
    expect(screen.status.contextTokens).toBe(24_000)
  })

  it('adds up the costs of its rounds and does not add their total again', () => {
    const round = { ...roundEnd, costUsd: 0.01 }
    const screen = fold(emptyScreen(), [round, roundEnd, round, { ...turnEnd, costUsd: 0.02 }])
    expect(screen.status.costUsd).toBe(0.02)
  })

  it('ends at once when the user stops it, and puts queued text back into the prompt', () => {
    const running = fold(emptyScreen(), [said('go'), delta('Once upon'), asks('rm x')])
    const written = { text: 'wait', pastes: [] }
    const message = { id: newId.message(), kind: 'next' as const, text: 'wait', written }
    const queued = reduce(running, { type: 'queued', message })
    const stopped = reduce(queued, { type: 'interrupted' })
    expect(transcript(stopped)).toEqual(['▌ go', '', '  Once upon', '', '  – interrupted after 0 s'])
    expect(live(stopped)).toEqual(['', rule, '› wait', rule, `ask · model${' '.repeat(45)}main`])
  })
})

describe('a call', () => {
  const whole = (id: string, command: string): readonly Unstamped[] => [
    { type: 'tool_call_begin', id, name: 'bash' },
    { type: 'tool_call_end', call: { type: 'tool_call', id, name: 'bash', arguments: { command } } },
  ]

  it('is shown as being written, then as waiting for the one before it', () => {
    const screen = fold(emptyScreen(), [
      ...bashRuns('call_1', 'make', ''),
      ...whole('call_2', 'make test'),
      { type: 'tool_call_begin', id: 'call_3', name: 'bash' },
    ])
    expect(live(screen).slice(0, 3)).toEqual([
      '  ⠋ bash    make                                         0 s',
      '  ○ bash    make test                                  waits',
      '  ○ bash                                    is being written',
    ])
  })

  it('stays with the end of its output if interrupted, and disappears if only partly written', () => {
    const screen = fold(emptyScreen(), [
      ...bashRuns('call_1', 'make', Array.from({ length: 9 }, (_, i) => `line ${i}\n`).join('')),
      ...whole('call_2', 'make test'),
      { type: 'tool_call_begin', id: 'call_3', name: 'bash' },
    ])
    const stopped = reduce(reduce(screen, { type: 'tick', now: 3_001 }), { type: 'interrupted' })
    expect(transcript(stopped)).toEqual([
      '  – bash    make                        interrupted    3.0 s',
      ...[4, 5, 6, 7, 8].map((i) => `            line ${i}`),
      '  – bash    make test                            interrupted',
    ])
  })
})

describe('a note or a header', () => {
  it('follows a blank row after model output, and a header after any entry', () => {
    const noted = (screen: Screen, text: string) => reduce(screen, { type: 'noted', level: 'info', text })
    const { status } = emptyScreen()
    const header = { type: 'opened', entries: [{ type: 'header', model: 'test/model' }], status } as const
    const begun = noted(reduce(emptyScreen(), header), 'first')
    const screen = noted(noted(fold(begun, [delta('Done.'), turnEnd]), 'second'), 'third')
    expect(transcript(noted(reduce(screen, header), 'fourth'))).toEqual([
      'pipe',
      '',
      '  first',
      '',
      '  Done.',
      '',
      '  second',
      '  third',
      '',
      'pipe',
      '',
      '  fourth',
    ])
  })
})

const events = fc.constantFrom(
  said('go'),
  delta('words '),
  delta('**more**\n\n'),
  delta('- item\n'),
  delta('```\ncode\n```\n'),
  delta('other ', 'text_2'),
  thought('hm '),
  ...bashRuns('call_1', 'make', 'out\n'),
  bashEnds('call_1', 'out'),
  asks('rm -rf /tmp/x\n'.repeat(30)),
  { type: 'retry', attempt: 1, reason: 'overloaded', waitMs: 500, discarded: ['text_1'] } as const,
  { type: 'fallback', from: 'a/b', to: 'c/d', reason: 'overloaded', discarded: [] } as const,
  { type: 'compaction', trigger: 'auto', summary: 'All.', tokensBefore: 9_000, tokensAfter: 100 } as const,
  { type: 'compaction_failed', reason: 'the model wrote none' } as const,
  { type: 'notice', text: 'an image was refused' } as const,
  roundEnd,
  turnEnd,
)

describe('any order of events', () => {
  it('only ever adds to the transcript', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (all) => {
        let screen = emptyScreen()
        for (const event of all) {
          const next = fold(screen, [event])
          expect(next.finished.slice(0, screen.finished.length)).toEqual(screen.finished)
          screen = next
        }
      }),
    )
  })

  it('gives live rows that fit a screen of any size', () => {
    const size = fc.record({
      columns: fc.integer({ min: 1, max: 130 }),
      rows: fc.integer({ min: 1, max: 45 }),
    })
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), size, (all, of) => {
        const rows = drawLive(fold(emptyScreen(of), all))
        expect(rows.length).toBeLessThanOrEqual(Math.max(1, of.rows - 2))
        if (of.columns > 8) expect(rows.filter((row) => columnsOfLine(row) > of.columns)).toEqual([])
      }),
    )
  })

  it('leaves nothing live when the turn ends', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (all) => {
        const { draft, calls, questions, queued, busySince } = fold(emptyScreen(), [...all, turnEnd])
        expect({ draft, calls, questions, queued, busySince }).toEqual({
          draft: undefined,
          calls: [],
          questions: [],
          queued: [],
          busySince: undefined,
        })
      }),
    )
  })
})

describe('a text', () => {
  it('goes on at the margin after its rows had to stay where a smaller window left them', () => {
    const begun = fold(emptyScreen(), [said('go'), delta('One two')])
    const ended = fold(reduce(begun, { type: 'draft_kept' }), [delta(' three'), delta(' four'), turnEnd])
    const [, rest] = ended.finished
    expect(rest && plain(drawEntry(rest, 40))).toEqual(['  three four'])
  })

  it('gives the same transcript however its deltas are split', () => {
    const text = fc.array(
      fc.constantFrom('a **b** ', '\n', '\n\n', '- x\n', '```\n', '| a |\n|---|\n', '# t\n'),
      {
        maxLength: 20,
      },
    )
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 })), (parts, cuts) => {
        const whole = parts.join('')
        const pieces = cutInto(whole, cuts).filter((piece) => piece !== '')
        const cut = fold(emptyScreen(), [...pieces.map((piece) => delta(piece)), turnEnd])
        const once = fold(emptyScreen(), [...(whole === '' ? [] : [delta(whole)]), turnEnd])
        expect(cut.finished).toEqual(once.finished)
      }),
    )
  })
})

it('folds a long message of a resumed conversation when Up recalls it', () => {
  const long = 'line\n'.repeat(100)
  const { status } = emptyScreen()
  const screen = reduce(emptyScreen(), { type: 'opened', entries: [{ type: 'user', text: long }], status })
  const recalled = editPrompt(screen.prompt, { type: 'press', name: 'up' })
  expect(recalled?.text).toBe('[pasted 100 lines · 500 bytes]')
  expect(recalled && sentText(recalled)).toBe(long)
})

it('shows the start of a long user message', () => {
  const rows = plain(drawEntry({ type: 'user', text: 'word '.repeat(60_000) }, 80))
  expect(rows.length).toBeLessThan(60)
  expect(rows.at(-1)).toMatch(/… 296000 more characters$/)
})
