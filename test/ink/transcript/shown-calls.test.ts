import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { nothingMissed } from '../../../src/ink/conversation/catching-up.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { Entry, Screen } from '../../../src/ink/state.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { transcriptOf } from '../../../src/ink/transcript/transcript.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import { assistant, text, toolResult, user } from '../../support/messages/messages.ts'
import {
  bashEnds,
  bashRuns,
  delta,
  emptyScreen,
  fold,
  roundEnd,
  said,
  turnEnd,
  type Unstamped,
} from '../conversation.ts'
import { plain } from '../screen-text.ts'

const shown = ({ finished }: Screen) =>
  plain(finished.flatMap((entry, i) => drawEntry(entry, 60, finished[i - 1])))
const calls = (screen: Screen) => plain(drawLive(screen)).filter((row) => /^ {2}\S /.test(row))

const starts = (callId: string, name: string, args: JsonValue): readonly Unstamped[] => [
  { type: 'tool_call_begin', id: callId, name },
  { type: 'tool_start', callId, name, arguments: args },
]
const ends = (callId: string, output: string, isError = false): Unstamped => ({
  type: 'tool_end',
  callId,
  isError,
  durationMs: 100,
  content: [{ type: 'text', text: output }],
})
const reads = (id: string, path: string) => starts(id, 'read', { path })

const aborted = { ...turnEnd, stopReason: 'aborted' } as Unstamped

describe('calls that run side by side', () => {
  const both = fold(emptyScreen(), [
    said('go'),
    ...bashRuns('call_1', 'first', ''),
    ...bashRuns('call_2', 'second', ''),
  ])

  it('stay in the order of the model, whichever ends first', () => {
    const second = fold(both, [bashEnds('call_2', 'b')], 10)
    expect(shown(second)).toEqual(['▌ go'])
    expect(calls(second)).toEqual([
      '  ⠋ bash    first                                        0 s',
      '  ● bash    second                           1 line    1.2 s',
    ])
    expect(shown(fold(second, [bashEnds('call_1', 'a')]))).toEqual([
      '▌ go',
      '',
      '  ● bash    first                            1 line    1.2 s',
      '  ● bash    second                           1 line    1.2 s',
    ])
  })

  it('give up their order rather than hold back many', () => {
    const many = Array.from({ length: 20 }, (_, i) => `call_${i + 10}`)
    const screen = fold(both, [
      ...many.flatMap((id) => bashRuns(id, id, '')),
      ...many.map((id) => bashEnds(id, 'x')),
    ])
    expect(screen.finished.filter(({ type }) => type === 'tool').length).toBeGreaterThan(10)
    expect(screen.calls.length).toBeLessThan(22)
  })

  it('are kept if the turn is stopped: those that ended as they ended, the others as interrupted', () => {
    const screen = fold(both, [bashEnds('call_2', 'b'), aborted], 10)
    expect(shown(screen).slice(2, 4)).toEqual([
      '  – bash    first                       interrupted     9 ms',
      '  ● bash    second                           1 line    1.2 s',
    ])
  })
})

describe('calls that only look', () => {
  const three = [
    ...reads('call_1', 'src/csv.js'),
    ...reads('call_2', 'src/totals.js'),
    ...starts('call_3', 'grep', { pattern: 'split\\(' }),
    ends('call_1', '1\ta'),
    ends('call_3', 'a:1:x\nb:2:y\nc:3:z\n[there is more]'),
    ends('call_2', '1\tb'),
  ]
  const row = '  ● read    csv.js, totals.js · grep split\\( 3        300 ms'

  it('fold into one row, which becomes final once something else follows', () => {
    const looked = fold(emptyScreen(), [said('go'), ...three, roundEnd])
    expect(shown(looked)).toEqual(['▌ go'])
    expect(calls(looked)).toEqual([row])
    expect(shown(fold(looked, [delta('I see.\n\n')]))).toEqual(['▌ go', '', row, '', '  I see.'])
    expect(shown(fold(looked, [turnEnd]))).toEqual(['▌ go', '', row])
  })

  it('go on folding in the next round, up to a failure, which has a row of its own', () => {
    const screen = fold(emptyScreen(), [
      ...three,
      roundEnd,
      ...reads('call_4', 'x.js'),
      ends('call_4', 'x.js does not exist; did you mean y.js?', true),
      ...reads('call_5', 'y.js'),
      ends('call_5', '1\ty'),
      turnEnd,
    ])
    expect(shown(screen)).toEqual([
      row,
      '  ✗ read    x.js                                      100 ms',
      '            x.js does not exist',
      '  ● read    y.js                             1 line   100 ms',
    ])
  })

  it('fold in the same way in a conversation that is resumed', () => {
    const call = (id: string, name: string, args: { readonly [name: string]: string }) =>
      ({ type: 'tool_call', id, name, arguments: args }) as const
    const entries = transcriptOf(
      [
        user(text('go')),
        assistant(call('call_1', 'read', { path: 'a.js' }), call('call_2', 'read', { path: 'a.js' })),
        toolResult('call_1', text('1\ta')),
        toolResult('call_2', text('1\ta')),
        assistant(call('call_3', 'grep', { pattern: 'x' })),
        toolResult('call_3', text('no matches')),
        assistant(text('I see.')),
      ],
      60,
      lookOf,
    )
    expect(plain(entries.flatMap((entry, i) => drawEntry(entry, 60, entries[i - 1])))).toEqual([
      '▌ go',
      '',
      '  ● read    a.js ×2 · grep x 0',
      '',
      '  I see.',
    ])
  })

  it('name the ends of their paths, then only some of them, in a narrow window', () => {
    const paths = ['one', 'two', 'three', 'four'].map((name) => `src/parser/${name}.js`)
    const screen = fold(emptyScreen(), [
      ...paths.flatMap((path, i) => [...reads(`call_${i}`, path), ends(`call_${i}`, '1\ta')]),
      turnEnd,
    ])
    const drawn = (width: number) => plain(screen.finished.flatMap((entry) => drawEntry(entry, width)))
    expect(drawn(60)[0]).toContain('one.js, two.js, three.js')
    expect(drawn(40)[0]).toMatch(/● read {4}one\.js, two\.js \+2 /)
  })
})

describe('the list of what is to be done', () => {
  const todo = (id: string, ...states: readonly string[]): readonly Unstamped[] => [
    ...starts(id, 'todo', {}),
    {
      type: 'tool_end',
      callId: id,
      isError: false,
      durationMs: 1,
      content: [{ type: 'text', text: 'noted' }],
      details: { todo: states.map((status, i) => ({ text: `Step ${i + 1}`, status })) },
    },
  ]

  it('lives above the prompt, and is written into the transcript once, when the turn ends', () => {
    const begun = fold(emptyScreen(), [said('go'), ...todo('call_1', 'in_progress', 'pending')])
    expect(plain(drawLive(begun))).toContain('  ▸ Step 1  ○ Step 2                                     0/2')
    expect(shown(begun)).toEqual(['▌ go'])
    const over = fold(begun, [...todo('call_2', 'done', 'in_progress'), turnEnd])
    expect(shown(over)).toEqual(['▌ go', '', '  ✓ Step 1  ▸ Step 2'])
    expect(plain(drawLive(over)).join('\n')).not.toContain('Step')
    expect(
      shown(fold(over, [said('on'), delta('Yes.'), turnEnd])).filter((row) => /Step/.test(row)),
    ).toHaveLength(1)
  })

  it('belongs to its turn: a later one shows none until the model writes one, however the turn ended', () => {
    const begun = fold(emptyScreen(), [said('go'), ...todo('call_1', 'in_progress', 'pending')])
    const steps = (screen: Screen) => plain(drawLive(screen)).filter((row) => /Step/.test(row)).length
    for (const over of [fold(begun, [turnEnd]), reduce(begun, { type: 'interrupted' })]) {
      const next = fold(over, [said('What is the time?')])
      expect([steps(begun), steps(next)]).toEqual([1, 0])
      expect(steps(fold(next, todo('call_2', 'in_progress')))).toBe(1)
    }
  })

  it('is shown again at a server whose turn goes on, but not that of a turn before', () => {
    const list = { type: 'plan', items: [{ text: 'Step 1', status: 'pending' }] } as const
    const user = { type: 'user', text: 'go' } as const
    const missed = { ...nothingMissed, isBusy: true }
    const status = { ...emptyScreen().status, server: 'den' }
    const seen = (...entries: readonly Entry[]) =>
      reduce(reduce(emptyScreen(), { type: 'opened', entries, status }), { type: 'caught_up', missed, at: 0 })
    expect([seen(user, list).plan?.items, seen(user, list, user).plan]).toEqual([list.items, undefined])
  })
})
