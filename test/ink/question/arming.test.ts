import { describe, expect, it } from 'vitest'
import { armingAfterEarly, armingWhenShown, isArmed } from '../../../src/ink/question/arming.ts'
import type { Interaction } from '../../../src/interaction.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { sit } from '../at-keyboard.ts'
import { asks } from '../conversation.ts'

const permission = () => asks('npm test').interaction
const newId = countingIds()
const ask = (more: Partial<Interaction>): Interaction => ({
  id: newId.interaction(),
  kind: 'input',
  purpose: 'request_info',
  display: { title: 'Name?' },
  ...more,
})
const steps = [
  { id: '1', label: 'First step' },
  { id: '2', label: 'Second step' },
]

describe('the arming of a question', () => {
  const idle = { hasDraft: false, typedAt: undefined, pressedAt: undefined }

  it.each([
    [idle, { type: 'settling', opensAt: 10_500 }],
    [
      { ...idle, pressedAt: 9_400 },
      { type: 'settling', opensAt: 10_500 },
    ],
    [
      { ...idle, pressedAt: 9_900 },
      { type: 'settling', opensAt: 10_900 },
    ],
    [
      { ...idle, typedAt: 8_999, pressedAt: 8_999 },
      { type: 'settling', opensAt: 10_500 },
    ],
    [{ ...idle, typedAt: 9_001, pressedAt: 9_001 }, { type: 'unarmed' }],
    [{ ...idle, hasDraft: true }, { type: 'unarmed' }],
  ])('first drawn at 10 s with %j is %j', (typing, expected) => {
    expect(armingWhenShown(10_000, typing)).toEqual(expected)
  })

  it('opens by time alone if nobody was typing', () => {
    const settling = armingWhenShown(10_000, idle)
    const early = armingAfterEarly(10_200, { type: 'text', text: 'y' })
    expect([isArmed(settling, 10_499), isArmed(settling, 10_500)]).toEqual([false, true])
    expect([isArmed(early, 11_199), isArmed(early, 11_200)]).toEqual([false, true])
    expect([isArmed({ type: 'unarmed' }, 1e9), isArmed({ type: 'unseen' }, 1e9)]).toEqual([false, false])
  })
})

describe('a key typed into a draft', () => {
  it.each([
    ['then ', 'a'],
    ['do step ', '1'],
    ['wh', 'y'],
    ['', 'then any of y, a, n, 1, 2'],
    ['and ', '<enter>'],
  ])('answers nothing: %j, a pause, then %j', (before, after) => {
    const { type, ask: put, wait, answers, draft, queued } = sit()
    type(before)
    wait(900)
    put(permission())
    wait(5_000)
    type(after)
    expect(answers()).toEqual([])
    expect([draft(), ...queued()].join('')).toBe(after === '<enter>' ? before : before + after)
  })

  it('answers nothing until the arming key, however long the pause, and the draft is kept', () => {
    const { type, ask: put, wait, answers, draft, rows } = sit()
    type('do step ')
    put(permission())
    wait(60_000)
    expect(rows().slice(-10, -1)).toEqual([
      '━━ Allow bash? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
      '   npm test',
      '',
      '   y  yes, once',
      '   s  this session',
      '   n  no',
      '   w  no, and say why',
      '━━ you were typing: press Tab to answer ━━━━━━━━━━━━━━━━━━━━',
      '› do step',
    ])
    type('1<tab>')
    expect([answers(), rows().filter((row) => / ❯ \w|draft/.test(row))]).toEqual([
      [],
      [' ❯ y  yes, once', '   your draft is kept: "do step 1"'],
    ])
    type('y')
    expect([answers(), draft()]).toEqual([['allow'], 'do step 1'])
    type(' now')
    expect(draft()).toBe('do step 1 now')
  })

  it('edits the draft: text, Backspace, Ctrl+U, arrows, a paste', () => {
    const { type, paste, ask: put, wait, answers, draft } = sit()
    type('then ')
    put(permission())
    wait(2_000)
    type('ab<backspace>')
    expect(draft()).toBe('then a')
    type('<home>y<end>')
    paste('1')
    expect(draft()).toBe('ythen a1')
    type('<ctrl+u>')
    wait(5_000)
    type('a')
    expect([draft(), answers()]).toEqual(['a', []])
    type('<backspace><tab>s')
    expect([draft(), answers()]).toEqual(['', ['allow_session']])
  })

  it('answers nothing if typing begins while the question is shown', () => {
    const { type, ask: put, wait, answers, draft, foot } = sit()
    put(permission())
    wait(2_000)
    type('hey')
    expect([answers(), draft(), foot()]).toEqual([[], 'hey', 'you were typing: press Tab to answer'])
    wait(5_000)
    type('<tab>x')
    expect([answers(), draft()]).toEqual([[], 'heyx'])
    type('y')
    expect([answers(), draft()]).toEqual([[], 'heyxy'])
  })

  it('answers nothing with the arming key and Enter', () => {
    const { type, ask: put, answers, draft, queued } = sit()
    type('then ')
    put(permission())
    type('<tab>')
    expect([answers(), draft()]).toEqual([[], 'then '])
    type('<backspace>')
    expect([answers(), draft()]).toEqual([[], 'then'])
    type('<enter>')
    expect([answers(), queued()]).toEqual([[], ['then']])
  })

  it('selects no option and enters no text into a question that is answered in words', () => {
    const { type, ask: put, wait, answers, draft, rows } = sit()
    type('do step ')
    put(ask({ kind: 'select', options: steps }), ask({}))
    wait(2_000)
    type('1')
    expect([answers(), draft()]).toEqual([[], 'do step 1'])
    type('<tab>2')
    wait(2_000)
    type('x')
    expect([answers(), draft(), rows().slice(-3)]).toEqual([
      ['2'],
      'do step 1x',
      [
        '━━ Name? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
        '› do step 1x',
        'you were typing: press Tab to answer',
      ],
    ])
    type('<tab>Ann<enter>')
    expect([answers(), draft()]).toEqual([['2', 'Ann'], 'do step 1x'])
  })
})

describe('an answer that comes too soon', () => {
  it('is reported, does not enter the draft, and blocks neither this question nor the next', () => {
    const { type, ask: put, wait, answers, draft, rows, foot } = sit()
    put(permission(), permission())
    type('y')
    expect([answers(), draft(), foot()]).toEqual([
      [],
      '',
      '"y" came too soon to be an answer: press it again',
    ])
    wait(1_000)
    expect(rows().filter((row) => row.startsWith(' ❯'))).toEqual([' ❯ y  yes, once'])
    type('y')
    wait(1_000)
    type('y')
    expect([answers(), draft()]).toEqual([['allow', 'allow'], ''])
  })

  it('can be repeated at once after the arming key', () => {
    const { type, ask: put, answers, draft } = sit()
    put(permission())
    type('y<tab>y')
    expect([answers(), draft()]).toEqual([['allow'], ''])
  })

  it('becomes the start of a draft if more text follows', () => {
    const { type, ask: put, wait, answers, draft } = sit()
    put(permission())
    type('yes please')
    wait(5_000)
    type('y')
    expect([answers(), draft()]).toEqual([[], 'yes pleasey'])
    const later = sit()
    later.ask(permission())
    later.type('a')
    later.wait(3_000)
    later.type('ls')
    expect([later.answers(), later.draft()]).toEqual([[], 'als'])
  })

  it('is not sent to the model by Enter, and Enter does not answer', () => {
    const { type, ask: put, wait, answers, queued, foot } = sit()
    put(permission())
    type('y<enter>')
    expect([answers(), queued(), foot()]).toEqual([
      [],
      [],
      'Enter came too soon to be an answer: press it again',
    ])
    wait(1_000)
    type('no<enter>')
    expect(answers()).toEqual(['deny'])
  })

  it('does not answer this or the next question when its key is held down', () => {
    const { type, ask: put, wait, answers, draft } = sit()
    put(permission(), permission())
    for (let i = 0; i < 100; i++) {
      type('y')
      wait(i === 0 ? 660 : 30)
    }
    expect([answers(), draft()]).toEqual([[], ''])
    wait(1_000)
    type('y')
    for (let i = 0; i < 100; i++) {
      wait(i === 0 ? 660 : 30)
      type('y')
    }
    expect([answers(), draft()]).toEqual([['allow'], ''])
  })

  it.each(['y', '<enter>', '2'])('%j answers one part of several, and repeats are ignored', (key) => {
    const { type, ask: put, wait, answers } = sit()
    const confirm = {
      kind: 'confirm',
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    } as const
    put(ask({ kind: 'composite', parts: [ask(confirm), ask(confirm)] }))
    wait(2_000)
    type(key.repeat(3))
    expect(answers()).toEqual([])
    wait(1_000)
    type(key)
    expect(answers()).toHaveLength(1)
  })

  it('accepts text for a part in words at once, but not Enter', () => {
    const { type, ask: put, wait, answers, rows } = sit()
    put(ask({ kind: 'composite', parts: [ask({ kind: 'select', options: steps }), ask({})] }))
    wait(2_000)
    type('2Ann<backspace>a<enter>')
    expect([answers(), rows().slice(-3, -1)]).toEqual([
      [],
      ['━━ 2/2 Name? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━', '  Ana'],
    ])
    wait(1_000)
    type('<enter>')
    expect(answers()).toEqual(['none'])
  })
})

describe('Esc', () => {
  it.each(['', 'y', 'then '])('stops the turn whatever was typed before it: %j', (before) => {
    const { type, ask: put, answers, draft, isBusy } = sit()
    put(permission())
    type(`${before}<esc>`)
    expect([isBusy(), answers(), draft()]).toEqual([false, [], before === 'y' ? '' : before])
  })
})
