import { describe, expect, it } from 'vitest'
import { type KeySettings, rebind } from '../../src/ink/keys/rebind.ts'
import { openPicker } from '../../src/ink/picker/picker.ts'
import { emptyPrompt } from '../../src/ink/prompt/prompt.ts'
import { reduce } from '../../src/ink/reduce/reduce.ts'
import { columnsOf } from '../../src/ink/rows/columns.ts'
import type { Screen, Size } from '../../src/ink/state.ts'
import { drawStatus } from '../../src/ink/status.ts'
import type { InteractionOption } from '../../src/interaction.ts'
import { asks, bashRuns, delta, emptyScreen, fold, foldAsked, said } from './conversation.ts'
import { plain } from './screen-text.ts'

/** Puts two texts at the ends of a row. */
const row = (left: string, right: string, columns = 80) => left + right.padStart(columns - columnsOf(left))

const status = {
  mode: 'accept-edits',
  model: 'anthropic/claude-sonnet-4-6',
  contextTokens: 68_000,
  contextWindow: 200_000,
  usage: { inputTokens: 180_000, outputTokens: 3_400 },
  costUsd: 0.0123,
  branch: 'main',
} as const

function shown(screen: Screen): string {
  return plain([drawStatus(screen)]).join('')
}

/** Creates a screen that shows more than its head, which has the branch as well. */
function begun(size: Size): Screen {
  return { ...emptyScreen(size), hasBegun: true }
}

/** Creates a screen with all facts, at the given width. */
function full(columns: number): Screen {
  return reduce(begun({ columns, rows: 20 }), { type: 'status', status })
}

describe('the status line', () => {
  it('says what a hook does that the turn waits for', () => {
    const busy = fold(emptyScreen(), [said('hi')])
    const waiting = reduce(busy, { type: 'status', status: { hookWork: 'Checking the style' } })
    expect(shown({ ...waiting, busySince: 0, now: 3_000 })).toContain('Checking the style 3 s')
  })

  it.each([
    [120, 'accept edits · claude-sonnet-4-6', 'main  183k tokens  ctx 34 %  $0.01'],
    [73, 'accept edits · claude-sonnet-4-6', 'main  183k tokens  ctx 34 %  $0.01'],
    [69, 'accept edits · claude-sonnet-4-6', '183k tokens  ctx 34 %  $0.01'],
    [55, 'accept edits · claude-sonnet-4-6', 'ctx 34 %  $0.01'],
    [47, 'accept edits · claude-sonnet-4-6', 'ctx 34 %'],
    [30, 'accept edits', 'main  ctx 34 %'],
    [14, 'accept edits', ''],
    [3, '', ''],
  ])('shows the most important facts on %i columns, numbers at the right', (columns, left, right) => {
    expect(shown(full(columns))).toBe(right === '' ? left : row(left, right, columns))
  })

  it('names the keys of a list quietly, and stands out where an answer is due', () => {
    const color = (screen: Screen) => drawStatus(screen)[0]?.style?.color
    expect(color({ ...emptyScreen(), picker: openPicker('Which?') })).toBe('muted')
    const elves = { type: 'elves', focus: 0, page: undefined } as const
    expect(color({ ...emptyScreen(), panel: { ...elves, confirming: undefined } })).toBe('muted')
    expect(color({ ...emptyScreen(), panel: { ...elves, confirming: 'stop' } })).toBe('warning')
  })

  it('omits unknown facts', () => {
    expect(shown(begun({ columns: 60, rows: 20 }))).toBe(`ask · model${' '.repeat(45)}main`)
    expect(shown(emptyScreen())).toBe('ask · model')
  })
})

describe('a silent server', () => {
  const waiting = fold(emptyScreen({ columns: 80, rows: 20 }), [said('go'), delta('Well')], 1_000)
  const at = (screen: Screen, now: number) => shown(reduce(screen, { type: 'tick', now }))

  it('is mentioned after 20 s', () => {
    expect(at(waiting, 20_900)).toBe(row('⠋ writing 19 s · Esc stops · ask · model', 'main'))
    expect(at(waiting, 26_500)).toBe(
      row('⠴ no word from the server for 25 s, Esc stops · ask · model', 'main'),
    )
  })

  it('is mentioned on a narrow screen too', () => {
    const narrow = reduce(waiting, { type: 'resized', size: { columns: 40, rows: 12 } })
    expect(at(narrow, 26_500)).toBe('⠴ no word for 25 s, Esc stops · ask')
    expect(columnsOf(at(narrow, 26_500))).toBeLessThanOrEqual(40)
  })

  it('is not mentioned during a command, a question or an announced wait', () => {
    const busy = /^. (running|waiting for you) 58 s · Esc stops/
    const retry = { type: 'retry', attempt: 1, reason: 'overloaded', waitMs: 45_000, discarded: [] } as const
    expect(at(fold(waiting, bashRuns('call_1', 'sleep 60', '')), 59_500)).toMatch(busy)
    expect(at(foldAsked(waiting, [asks('rm x')]), 59_500)).toMatch(busy)
    expect(at(fold(waiting, [retry]), 40_500)).toMatch(/^. waiting 39 s/)
    expect(at(fold(waiting, [retry]), 45_500)).toMatch(/^. thinking 44 s/)
    expect(at(fold(waiting, [retry]), 66_000)).toMatch(/^. no word from the server for 21 s/)
  })

  it('says that Esc first leaves the words of an answer, but not those of one without choices', () => {
    const asking = foldAsked(waiting, [asks('rm x')])
    const [question] = asking.questions
    if (question === undefined) throw new Error('no question')
    const writing = (options: readonly InteractionOption[]) =>
      shown({
        ...asking,
        questions: [{ ...question, interaction: { ...question.interaction, options }, words: emptyPrompt }],
      })
    expect(writing(question.interaction.options ?? [])).toMatch(/ · Esc Esc stops · /)
    expect(writing([])).toMatch(/you 0 s · Esc stops · /)
  })

  it('names the keys that the user chose, and none for an action without one', () => {
    const running = { ...emptyScreen(), task: { doing: 'undoing', since: 0, later: [] } }
    const own = (keys: KeySettings) => shown({ ...running, bindings: rebind(keys) })
    expect(own({ interrupt: 'ctrl+x' })).toContain('undoing 0 s · Ctrl+X stops')
    expect(own({ interrupt: [] })).not.toContain('stops')
    const leaving = { ...emptyScreen(), quitAsked: 0, bindings: rebind({ clear: 'f4' }) }
    expect(shown(leaving)).toBe('press F4 again to quit')
  })
})
