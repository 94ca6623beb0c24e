import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readKey } from '../../../src/ink/keys/keymap.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { Screen } from '../../../src/ink/state.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { sized } from '../../support/thorough.ts'
import { sit } from '../at-keyboard.ts'
import { asks, emptyScreen, foldAsked, said } from '../conversation.ts'
import { plain } from '../screen-text.ts'

/** Events while a draft is written. */
type Moment =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'press'; readonly name: string }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'ask' }

/** Every key that answers some question, and others. */
const letter = fc.constantFrom(...'ysaSnwlYNA123 .,xé漢😀'.split(''), 'yes', 'no')
const words = fc.oneof(letter, fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }))

const moment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 6, arbitrary: words.map((text): Moment => ({ type: 'text', text })) },
  { weight: 1, arbitrary: words.map((text): Moment => ({ type: 'paste', text })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('left', 'right', 'home', 'end', 'backspace').map(
      (name): Moment => ({
        type: 'press',
        name,
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .oneof(fc.nat(200), fc.nat(2_000), fc.constantFrom(499, 500, 999, 1_000, 60_000))
      .map((ms): Moment => ({ type: 'wait', ms })),
  },
  { weight: 2, arbitrary: fc.constant<Moment>({ type: 'ask' }) },
)

/** A pause, a question, another pause, and a key that would answer. */
const trap: fc.Arbitrary<readonly Moment[]> = fc
  .record({
    before: fc.nat(5_000),
    after: fc.nat(5_000),
    text: fc.constantFrom('y', 's', 'n', '1', 'S', 'w'),
  })
  .map(({ before, after, text }) => [
    { type: 'wait', ms: before },
    { type: 'ask' },
    { type: 'wait', ms: after },
    { type: 'text', text },
  ])

const moments = fc
  .array(fc.oneof({ weight: 4, arbitrary: moment.map((one) => [one]) }, { weight: 1, arbitrary: trap }), {
    maxLength: 12,
  })
  .map((parts) => parts.flat())

describe('keys typed as text into a draft', () => {
  const permission = () => asks('npm test').interaction

  it('never answer a question, whatever is typed or pasted, however slowly, and whenever questions open', () => {
    fc.assert(
      fc.property(fc.boolean(), words, moments, (isAsked, first, given) => {
        const { ask, key, wait, answers, draft } = sit()
        if (isAsked) {
          ask(permission())
          wait(5_000)
        }
        // The first letter of a draft that begins under an open question is no key of an answer.
        key({ type: 'text', text: isAsked ? `x${first}` : `${first}.` })
        for (const one of given) {
          if (one.type === 'wait') wait(one.ms)
          else if (one.type === 'ask') ask(permission())
          else if (one.type !== 'press' || one.name !== 'backspace' || draft().length > 2) key(one)
        }
        expect(answers()).toEqual([])
        expect(draft()).not.toBe('')
      }),
      { numRuns: sized(300, 60) },
    )
  })
})

describe('a yes', () => {
  const keys: readonly Key[] = [
    ...['pageup', 'pagedown', 'pagedown', 'home', 'up', 'down', 'left', 'right', 'enter'].map(
      (name): Key => ({ type: 'press', name }),
    ),
    ...['y', 's', '1', '2'].map((text): Key => ({ type: 'text', text })),
  ]
  const size = fc.record({
    columns: fc.integer({ min: 30, max: 100 }),
    rows: fc.integer({ min: 1, max: 24 }),
  })
  const focusOf = (screen: Screen) => screen.questions[0]?.focused
  const shown = (screen: Screen) => reduce(screen, { type: 'shown', at: 0 })

  it('is never given before all rows were shown, and nothing but an arrow moves the focus', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        size,
        fc.array(fc.oneof(fc.constantFrom(...keys), size)),
        (count, first, steps) => {
          const content = Array.from({ length: count }, (_, i) => `line ${i}`).join('\n')
          let screen = foldAsked(emptyScreen(first), [said('go'), asks(content)])
          let seen = new Set<string>()
          for (const step of steps) {
            for (const row of plain(drawLive(screen))) {
              const [, line] = /^ {3}(line \d+)$/.exec(row) ?? []
              if (line !== undefined) seen.add(line)
            }
            const focus = focusOf(screen)
            if ('rows' in step) {
              seen = new Set()
              screen = shown(reduce(screen, { type: 'resized', size: step }))
              expect(focusOf(screen)).toBe(focus)
              continue
            }
            const action = readKey(screen, step, 10_000)
            if (action.type === 'answer') {
              const isYes = /^allow/.test(action.response.selectedOptionId ?? '')
              if (isYes) expect(seen.size).toBe(count)
              return
            }
            if (action.type !== 'consider') continue
            screen = shown(reduce(screen, { type: 'considered', question: action.question }))
            const isArrow = step.type === 'press' && /^(up|down|left|right)$/.test(step.name)
            if (!isArrow) expect(focusOf(screen)).toBe(focus)
          }
        },
      ),
      { numRuns: sized(500, 60) },
    )
  })
})
