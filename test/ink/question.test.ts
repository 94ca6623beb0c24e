import { describe, expect, it } from 'vitest'
import { readKey } from '../../src/ink/keymap.ts'
import type { Key } from '../../src/ink/keys.ts'
import { drawLive } from '../../src/ink/live.ts'
import { reduce } from '../../src/ink/reduce.ts'
import type { Screen } from '../../src/ink/state.ts'
import { asks, emptyScreen, fold, said } from './conversation.ts'
import { plain } from './screen-text.ts'

const press = (name: string): Key => ({ type: 'press', name })
const type = (text: string): Key => ({ type: 'text', text })
const asked = (content: string, size = { columns: 40, rows: 14 }) =>
  fold(emptyScreen(size), [said('go'), asks(content)])

/** The screen after keys that do not answer. */
function afterKeys(screen: Screen, keys: readonly Key[]): Screen {
  return keys.reduce((now, key) => {
    const action = readKey(now, key, 10_000)
    if (action.type === 'scroll') return reduce(now, { type: 'scrolled', offset: action.offset })
    if (action.type === 'explain') return reduce(now, { type: 'explained', reason: action.reason })
    if (action.type === 'edit') return reduce(now, { type: 'edited', prompt: action.prompt, at: 0 })
    throw new Error(`unexpected ${action.type}`)
  }, screen)
}

function answerTo(screen: Screen, key: Key): unknown {
  const action = readKey(screen, key, 10_000)
  if (action.type !== 'answer') return action.type
  const { interactionId: _, ...answer } = action.response
  return answer
}

const answeredBy = 'user_local'

describe('a question', () => {
  it('shows all of what is to be allowed, and the keys', () => {
    expect(plain(drawLive(asked('npm test')))).toEqual([
      '',
      '? Allow bash?',
      '  command: npm test',
      '❯ 1 y  Yes, once',
      '  2 a  Yes, always',
      '  3 n  No',
      '  w    No, and say why',
      '◐ 0 s · Esc stops · default · test/model',
    ])
  })

  it.each([
    [type('y'), { answeredBy, selectedOptionId: 'allow' }],
    [type('1'), { answeredBy, selectedOptionId: 'allow' }],
    [type('a'), { answeredBy, selectedOptionId: 'allow_session' }],
    [type('2'), { answeredBy, selectedOptionId: 'allow_session' }],
    [type('N'), { answeredBy, selectedOptionId: 'deny' }],
    [type('3'), { answeredBy, selectedOptionId: 'deny' }],
    [press('enter'), { answeredBy, selectedOptionId: 'allow' }],
    [type('x'), 'nothing'],
    [{ type: 'paste', text: 'y' } as const, 'nothing'],
    [press('esc'), 'interrupt'],
    [press('ctrl+c'), 'interrupt'],
  ])('is answered by %j', (key, expected) => {
    expect(answerTo(asked('npm test'), key)).toEqual(expected)
  })

  it('takes Enter for no until the last of 300 lines was on the screen', () => {
    const command = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n')
    const screen = asked(command, { columns: 40, rows: 12 })
    expect(answerTo(screen, press('enter'))).toEqual({ answeredBy, selectedOptionId: 'deny' })
    const almost = afterKeys(screen, [press('end'), press('up')])
    expect(answerTo(almost, press('enter'))).toEqual({ answeredBy, selectedOptionId: 'deny' })
    const atEnd = afterKeys(almost, [press('down')])
    expect(plain(drawLive(atEnd)).slice(0, 5)).toEqual([
      '? Allow bash?',
      '    line 297',
      '    line 298',
      '    line 299',
      '  ↑↓ rows 299–301 of 301',
    ])
    expect(answerTo(atEnd, press('enter'))).toEqual({ answeredBy, selectedOptionId: 'allow' })
  })

  it('is answered by no with the reason that is written', () => {
    const screen = afterKeys(asked('npm test'), [type('w'), type('use pnpm')])
    expect(plain(drawLive(screen)).slice(1, 3)).toEqual(['? Allow bash?', 'why not? use pnpm'])
    expect(answerTo(screen, press('enter'))).toEqual({
      answeredBy,
      selectedOptionId: 'deny',
      comment: 'use pnpm',
    })
  })

  it('leaves what was being written in the prompt while the reason for a no is given', () => {
    const typed = afterKeys(emptyScreen(), [type('and then')])
    const asking = fold(typed, [said('go'), asks('npm test')])
    const screen = afterKeys(asking, [type('w'), type('use pnpm')])
    expect([screen.prompt.text, screen.questions[0]?.reason?.text]).toEqual(['and then', 'use pnpm'])
    expect(reduce(screen, { type: 'answered' }).prompt).toEqual(typed.prompt)
    expect(afterKeys(screen, [press('esc')])).toEqual(asking)
  })

  it('does not take for its answer what somebody was just typing', () => {
    const writing = reduce(asked('npm test'), { type: 'edited', prompt: emptyScreen().prompt, at: 9_900 })
    expect(readKey(writing, type('y'), 10_000).type).toBe('edit')
    expect(readKey(writing, type('y'), 10_500).type).toBe('answer')
  })
})

describe('Ctrl+C and Esc', () => {
  const idle = emptyScreen()
  const written = afterKeys(idle, [type('words')])

  it('stop a turn, clear the prompt, and quit when pressed again soon', () => {
    expect(readKey(fold(idle, [said('go')]), press('esc'), 0)).toEqual({ type: 'interrupt' })
    expect(readKey(fold(idle, [said('go')]), press('ctrl+c'), 0)).toEqual({ type: 'interrupt' })
    expect(readKey(written, press('ctrl+c'), 0)).toEqual({ type: 'ask_quit' })
    const armed = reduce(written, { type: 'quit_asked', at: 100 })
    expect([
      armed.prompt.text,
      readKey(armed, press('ctrl+c'), 1_000),
      readKey(armed, press('ctrl+c'), 1_200),
    ]).toEqual(['', { type: 'quit' }, { type: 'ask_quit' }])
  })

  it('do nothing when nothing runs; Ctrl+D leaves only an empty prompt', () => {
    expect([
      readKey(idle, press('esc'), 0),
      readKey(idle, press('ctrl+d'), 0),
      readKey(written, press('ctrl+d'), 0),
    ]).toEqual([{ type: 'nothing' }, { type: 'quit' }, { type: 'nothing' }])
  })
})
