import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import type { Screen, Size } from '../../../src/ink/state.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { asks, delta, emptyScreen, fold, said } from '../conversation.ts'
import { createElf, ends, foldElf, foldEnd, type TestElf, works } from '../elves.ts'
import { plain } from '../screen-text.ts'

const explore = createElf({
  name: 'e1',
  agent: 'explore',
  model: 'acme/mini',
  prompt: 'Find where sessions are locked.',
})
const review = createElf({
  name: 'e2',
  agent: 'review',
  model: 'other/large',
  prompt: 'Review the diff.',
})
const general = createElf({
  name: 'e3',
  agent: 'general',
  model: 'third/medium',
  prompt: 'Write the tests.',
})

/** Three elves at work: one searches, one asks, one writes. */
function atWork(size?: Size): Screen {
  let screen = fold(emptyScreen(size), [
    said('go'),
    ...[explore, review, general].flatMap(({ call }) => call),
  ])
  screen = foldElf(screen, explore, works('grep', { pattern: 'lock', path: 'src' }), 1_000)
  screen = foldElf(screen, review, [...works('bash', { command: 'npm test' }), asks('npm test')], 2_000)
  screen = foldElf(screen, general, [delta('The parser is done.\n'), delta('Now the lexer')], 3_000)
  return reduce(screen, { type: 'tick', now: 12_345 })
}

const live = (screen: Screen) => plain(drawLive(screen))
const ended = (screen: Screen, columns = 80) => {
  const entry = screen.finished.findLast(({ type }) => type === 'tool')
  return entry === undefined ? [] : plain(drawEntry(entry, columns))
}

describe('elves at work', () => {
  it('have a row each: agent, name, model, work, time, tokens, cost', () => {
    expect(live(atWork({ columns: 80, rows: 20 })).slice(1, 4)).toEqual([
      '  ⠧ explore e1  mini    grep lock in src                  3.4k · $0.004     12 s',
      '  ? review  e2  mini    asks: Allow bash?                 3.4k · $0.004      1 s',
      '  ⠧ general e3  medium  Now the lexer                                       12 s',
    ])
  })

  it('show the text of the round alone, whatever the ids of its blocks', () => {
    const screen = foldElf(
      atWork({ columns: 80, rows: 20 }),
      general,
      [{ type: 'round_start', round: 2, provider: 'third', model: 'medium' }, delta('It ran.')],
      4_000,
    )
    expect(live(reduce(screen, { type: 'tick', now: 12_345 }))[3]).toMatch(
      /general e3 {2}medium {2}It ran\. /,
    )
  })

  it('have a clock that leaves out the time that they wait for an answer', () => {
    const answered = foldElf(
      atWork({ columns: 80, rows: 20 }),
      review,
      [
        {
          type: 'interaction_responded',
          response: { interactionId: asks('npm test').interaction.id, answeredBy: 'user_a' },
        },
      ],
      10_000,
    )
    expect(live(reduce(answered, { type: 'tick', now: 12_345 }))[2]).toMatch(/ 4 s$/)
  })

  it('keep what matters most on 40 columns', () => {
    expect(live(atWork({ columns: 40, rows: 20 })).slice(1, 4)).toEqual([
      '  ⠧ explore e1  grep lock i…  3.4k  12 s',
      '  ? review  e2  asks: Allow …  3.4k  1 s',
      '  ⠧ general e3  Now the lexer       12 s',
    ])
  })

  it('never fill more than the width', () => {
    for (let columns = 1; columns < 120; columns++) {
      const rows = drawLive(atWork({ columns, rows: 20 }))
      expect(Math.max(...rows.map(columnsOfLine)), `${columns} columns`).toBeLessThanOrEqual(columns)
    }
  })

  it('show eight rows at most, and count the others', () => {
    const elves = Array.from({ length: 11 }, (_, i) =>
      createElf({ name: `e${i}`, agent: 'explore', model: 'acme/mini', prompt: 'look' }),
    )
    const screen = fold(
      emptyScreen({ columns: 80, rows: 40 }),
      elves.flatMap(({ call }) => call),
    )
    const rows = live(screen)
    expect(rows.filter((row) => row.startsWith('  ⠋ explore'))).toHaveLength(8)
    expect(rows).toContain('  … 3 more   /elves')
  })

  it('leave the transcript as it is: only their end is written there', () => {
    expect(atWork().finished.map(({ type }) => type)).toEqual(['user'])
  })

  it('show nothing that acts on the terminal', () => {
    const evil = '\u001b[2J\u202e'
    const elf = createElf({ name: 'e1', agent: 'explore', model: `a/${evil}m`, prompt: evil })
    let screen = fold(emptyScreen({ columns: 120, rows: 20 }), elf.call)
    screen = foldElf(screen, elf, [...works('bash', { command: `${evil}ls` })])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(live(screen).join('\n')).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('an elf that has ended', () => {
  const result = 'The lock is in src/files/lock.ts.\n\nIt holds a pid.'

  it('is one line with its time, calls, cost and the first words of its result', () => {
    const screen = foldEnd(atWork({ columns: 80, rows: 20 }), explore, { text: result }, 14_000)
    expect(ended(screen)).toEqual([
      '  ● explore e1  The lock is in src/files/lock.ts. It h…  1 call · $0.01     13 s',
    ])
    expect(live(screen).filter((row) => row.includes('explore'))).toEqual([])
  })

  it.each([
    [
      'failed',
      { text: '(no answer)', isError: true, stopReason: 'error', reason: 'the budget is spent' },
      '  ✗ explore e1  the budget is spent                      1 call · $0.01     13 s',
    ],
    [
      'stopped',
      { text: '(no answer)', isError: true, stopReason: 'aborted', reason: 'interrupted' },
      '  – explore e1  stopped                                  1 call · $0.01     13 s',
    ],
  ] as const)('says that it %s', (_, end, expected) => {
    expect(ended(foldEnd(atWork(), explore, end, 14_000))).toEqual([expected])
  })

  it('is stopped with the turn', () => {
    const screen = reduce(atWork(), { type: 'interrupted' })
    const rows = screen.finished.flatMap((entry) => plain(drawEntry(entry, 60)))
    expect(rows.filter((row) => row.startsWith('  –'))).toEqual([
      '  – explore e1  stopped             1 call · $0.004     12 s',
      '  – review  e2  stopped             1 call · $0.004     12 s',
      '  – general e3  stopped                     0 calls     12 s',
      '  – interrupted after 12 s',
    ])
    expect(screen.elves.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped'])
  })

  it('looks the same in a conversation that is resumed, as far as its session tells', () => {
    const details = { elf: 'e1', agent: 'explore', stop_reason: 'end_turn', rounds: 2 }
    const entry = {
      type: 'tool',
      name: 'elf',
      look: lookOf('elf'),
      arguments: {},
      isError: false,
      text: result,
      details,
    } as const
    expect(plain(drawEntry(entry, 60))).toEqual([
      '  ● explore e1  The lock is in src/files/lock.ts.…  2 rounds',
    ])
  })
})

describe('an elf in the background', () => {
  const elf: TestElf = createElf({
    name: 'e4',
    agent: 'explore',
    model: 'acme/mini',
    prompt: 'Look around.',
    isBackground: true,
  })
  const told = 'e4 works in the background.'
  const begun = fold(emptyScreen({ columns: 80, rows: 20 }), [
    ...elf.call,
    {
      type: 'tool_end',
      callId: 'call_e4',
      isError: false,
      content: [{ type: 'text', text: told }],
      durationMs: 5,
    },
  ])

  it('keeps its row after its call and its turn', () => {
    const screen = reduce(begun, { type: 'interrupted' })
    expect(live(screen)[0]).toMatch(/^ {2}⠋ explore e4 {2}mini {2}thinking +0 s$/)
  })

  it('leaves one line in the transcript when it ends, and withdraws its question', () => {
    const question = asks('npm test')
    const asking = reduce(foldElf(begun, elf, [delta('Found it.'), question], 1_000), {
      type: 'asked',
      interaction: question.interaction,
      asker: { type: 'elf' },
    })
    const screen = fold(asking, [ends(elf)], 9_000)
    expect(ended(screen)).toEqual([
      '  ● explore e4  Found it.                               0 calls · $0.01      0 s',
    ])
    expect([screen.questions, live(screen).filter((row) => row.includes('e4'))]).toEqual([[], []])
  })
})
