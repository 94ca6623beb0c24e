import { expect } from 'vitest'
import { readKey } from '../../../src/ink/keys/keymap.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { Screen } from '../../../src/ink/state.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import type { Interaction } from '../../../src/interaction.ts'
import { growth } from '../../support/cost.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, call, text } from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { asks, emptyScreen, fold, foldAsked, said } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const press = (name: string): Key => ({ type: 'press', name })
const type = (text: string): Key => ({ type: 'text', text })
const asked = (content: string, size = { columns: 40, rows: 14 }) =>
  foldAsked(emptyScreen(size), [said('go'), asks(content)])

/** Returns the body rows of a question, on a screen with room for all of them. */
function bodyOf(display: Omit<Interaction['display'], 'title'>): readonly string[] {
  const interaction: Interaction = {
    id: countingIds().interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: { title: 'Sure?', ...display },
    options: [{ id: 'deny', label: 'No' }],
  }
  const screen = foldAsked(emptyScreen({ columns: 40, rows: 100 }), [
    said('go'),
    { type: 'interaction_requested', interaction },
  ])
  const rows = plain(drawLive(screen))
  return rows.slice(rows.findIndex((row) => row.startsWith('━━ Sure?')) + 1, rows.indexOf(' ❯ n  no') - 1)
}

/** Returns the screen after keys that do not answer; shows it after each key. */
function afterKeys(screen: Screen, keys: readonly Key[]): Screen {
  return keys.reduce((now, key) => {
    const action = readKey(now, key, 10_000)
    if (action.type !== 'consider' && action.type !== 'edit') throw new Error(`unexpected ${action.type}`)
    const after =
      action.type === 'consider'
        ? reduce(now, { type: 'considered', question: action.question })
        : reduce(now, { type: 'edited', prompt: action.prompt, at: 0 })
    return reduce(after, { type: 'shown', at: 0 })
  }, screen)
}

function answerTo(screen: Screen, key: Key): unknown {
  const action = readKey(screen, key, 10_000)
  if (action.type !== 'answer') return action.type
  const { interactionId: _, ...answer } = action.response
  return answer
}

const answeredBy = 'user_local'

quickDescribe('a question', () => {
  it('shows the whole content and the keys', () => {
    expect(plain(drawLive(asked('npm test')))).toEqual([
      '',
      '━━ Allow bash? ━━━━━━━━━━━━━━━━━━━━━━━━━',
      '   npm test',
      '',
      ' ❯ y  yes, once',
      '   s  this session',
      '   n  no',
      '   w  no, and say why',
      '━━ Enter chooses ❯ · Esc stops ━━━━━━━━━',
      '⠦ waiting for you 0 s · Esc stops · ask',
    ])
  })

  it.each([
    [type('y'), { answeredBy, selectedOptionId: 'allow' }],
    [type('1'), { answeredBy, selectedOptionId: 'allow' }],
    [type('s'), { answeredBy, selectedOptionId: 'allow_session' }],
    [type('2'), { answeredBy, selectedOptionId: 'allow_session' }],
    [type('N'), { answeredBy, selectedOptionId: 'deny' }],
    [type('3'), { answeredBy, selectedOptionId: 'deny' }],
    [press('enter'), { answeredBy, selectedOptionId: 'allow' }],
    [type('x'), 'edit'],
    [type('a'), 'edit'],
    [{ type: 'paste', text: 'y' } as const, 'edit'],
    [press('esc'), 'interrupt'],
    [press('ctrl+c'), 'interrupt'],
  ])('is answered by %j', (key, expected) => {
    expect(answerTo(asked('npm test'), key)).toEqual(expected)
  })

  it('shows a file change as a whole diff with the file name', () => {
    const changed = Array.from({ length: 70 }, (_, i) => `+line ${i}\n`).join('')
    const content = `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,71 @@\n one\n-two\n${changed}`
    const rows = bodyOf({ content, contentKind: 'diff' })
    expect(rows.slice(0, 4)).toEqual(['  src/a.ts', '   1   one', '   2 - two', '   2 + line 0'])
    expect(rows.at(-1)).toBe('  71 + line 69')
  })

  it('shows a table in columns, and text as it is', () => {
    const content = [
      { file: 'a.ts', lines: 3 },
      { file: 'long.ts', lines: 12 },
    ]
    expect(bodyOf({ content, contentKind: 'table' })).toEqual([
      '   file     lines',
      '   a.ts     3',
      '   long.ts  12',
    ])
    expect(bodyOf({ content: 'one\n two', contentKind: 'plain_text' })).toEqual(['   one', '    two'])
  })

  it('allows nothing until the last of 300 lines was shown, and does not move the mark on scrolling', () => {
    const command = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n')
    const screen = asked(command, { columns: 40, rows: 12 })
    const focused = (shown: Screen) => plain(drawLive(shown)).filter((row) => row.includes('❯'))
    expect([focused(screen), answerTo(screen, press('enter'))]).toEqual([
      [' ❯ n  no'],
      { answeredBy, selectedOptionId: 'deny' },
    ])
    for (const text of ['y', '1', 's', '2']) {
      const refused = afterKeys(screen, [type(text)])
      expect(plain(drawLive(refused)).at(-1)).toBe('PgDn to the end first, ↑ ↓ to the choice')
    }
    const yes = afterKeys(screen, [press('up'), press('up')])
    expect([focused(yes), answerTo(yes, press('enter'))]).toEqual([[' ❯ y  yes, once'], 'consider'])
    const atEnd = afterKeys(screen, [press('end')])
    expect(plain(drawLive(atEnd)).slice(0, 5)).toEqual([
      '━━ Allow bash? ━━ PgDn 297–300 of 300 ━━',
      '   line 296',
      '   line 297',
      '   line 298',
      '   line 299',
    ])
    expect([focused(atEnd), answerTo(atEnd, press('enter'))]).toEqual([
      [' ❯ n  no'],
      { answeredBy, selectedOptionId: 'deny' },
    ])
    expect(answerTo(atEnd, type('y'))).toEqual({ answeredBy, selectedOptionId: 'allow' })
    expect(answerTo(afterKeys(atEnd, [press('home')]), type('y'))).toMatchObject({
      selectedOptionId: 'allow',
    })
  })

  it('moves its mark only with the arrows, not by scrolling or resizing', () => {
    const screen = asked('one\ntwo\nthree\nfour', { columns: 40, rows: 9 })
    const marks = (names: string) =>
      afterKeys(
        screen,
        names.split(' ').map((name) => press(name)),
      ).questions[0]?.focused
    expect(
      ['pagedown', 'end', 'pagedown home end pageup', 'up', 'up end', 'down', 'down down'].map(marks),
    ).toEqual([2, 2, 2, 1, 1, 3, 0])
    const larger = reduce(screen, { type: 'resized', size: { columns: 40, rows: 30 } })
    expect(afterKeys(larger, [press('pageup')]).questions[0]?.focused).toBe(2)
  })

  it.each([4, 5, 6, 7, 8, 10, 20])('shows each choice that the arrows reach on %i rows', (rows) => {
    const screen = asked('one\ntwo\nthree\nfour', { columns: 40, rows })
    const seen = ['home', 'down', 'down', 'down'].map((_, i, names) => {
      const moved = afterKeys(screen, names.slice(0, i + 1).map(press))
      return plain(drawLive(moved)).find((row) => row.includes('❯ ') && !row.includes('Enter'))
    })
    const all = [' ❯ y  yes, once', ' ❯ s  this session', ' ❯ n  no', ' ❯ w  no, and say why']
    expect(seen.toSorted()).toEqual(all.toSorted())
  })

  it('allows nothing in a window that shows no content, and says so', () => {
    for (const rows of [1, 2, 3, 4, 5]) {
      const screen = asked('npm test', { columns: 40, rows })
      for (const key of [type('y'), type('1'), type('s')]) expect(answerTo(screen, key)).toBe('consider')
      expect(plain(drawLive(screen)).at(-1)).toBe('window too small: enlarge it, or n')
      expect(answerTo(screen, type('n'))).toEqual({ answeredBy, selectedOptionId: 'deny' })
    }
    const small = asked('npm test', { columns: 40, rows: 4 })
    const larger = reduce(small, { type: 'resized', size: { columns: 40, rows: 14 } })
    expect(answerTo(reduce(larger, { type: 'shown', at: 0 }), type('y'))).toMatchObject({
      selectedOptionId: 'allow',
    })
    const large = asked('npm test')
    const smaller = reduce(large, { type: 'resized', size: { columns: 40, rows: 4 } })
    const shown = reduce(smaller, { type: 'shown', at: 0 })
    expect([answerTo(shown, press('enter')), answerTo(shown, type('y'))]).toEqual(['consider', 'consider'])
  })

  it('moves through its choices with the arrows and wraps at both ends', () => {
    const chosen = (...names: readonly string[]) =>
      answerTo(afterKeys(asked('npm test'), names.map(press)), press('enter'))
    const optionOf = (names: string) => chosen(...names.split(' '))
    expect(plain(drawLive(afterKeys(asked('npm test'), [press('down')]))).slice(4, 6)).toEqual([
      '   y  yes, once',
      ' ❯ s  this session',
    ])
    expect(['down', 'down down', 'down up', 'up up', 'down down down down'].map(optionOf)).toEqual(
      ['allow_session', 'deny', 'allow', 'deny', 'allow'].map((selectedOptionId) => ({
        answeredBy,
        selectedOptionId,
      })),
    )
    const why = afterKeys(asked('npm test'), [...[press('up'), press('enter')], type('use pnpm')])
    expect(answerTo(why, press('enter'))).toMatchObject({ selectedOptionId: 'deny', comment: 'use pnpm' })
  })

  it('shows a long option in full, and where there is no room for it reads Enter as no until that was shown', () => {
    const asking = asks('npm test')
    const label = `Yes, always: ${Array.from({ length: 6 }, (_, i) => `Bash(npm run step-${i})`).join(', ')}`
    const always = { id: 'allow_always', label }
    const options = [
      ...(asking.interaction.options ?? []).slice(0, 2),
      always,
      { id: 'deny', label: 'No', isDefault: true },
    ]
    const put = (rows: number) =>
      foldAsked(emptyScreen({ columns: 40, rows }), [
        said('go'),
        { ...asking, interaction: { ...asking.interaction, options } },
      ])
    expect(plain(drawLive(put(20)))).toEqual([
      '',
      '━━ Allow bash? ━━━━━━━━━━━━━━━━━━━━━━━━━',
      '   npm test',
      '',
      ' ❯ y  yes, once',
      '   s  this session',
      '   a  always: Bash(npm run step-0),',
      '      Bash(npm run step-1), Bash(npm run',
      '      step-2), Bash(npm run step-3),',
      '      Bash(npm run step-4), Bash(npm run',
      '      step-5)',
      '   n  no',
      '   w  no, and say why',
      '━━ Enter chooses ❯ · Esc stops ━━━━━━━━━',
      '⠦ waiting for you 0 s · Esc stops · ask',
    ])
    expect(answerTo(put(12), press('enter'))).toEqual({ answeredBy, selectedOptionId: 'deny' })
    expect(answerTo(put(12), type('3'))).toBe('consider')
    const atEnd = afterKeys(put(12), [press('end')])
    expect(answerTo(atEnd, type('3'))).toEqual({ answeredBy, selectedOptionId: 'allow_always' })
  })

  it('accepts a written reason with a no', () => {
    const screen = afterKeys(asked('npm test'), [type('w'), type('use pnpm')])
    expect(plain(drawLive(screen)).slice(1, 3)).toEqual([
      '━━ Allow bash? ━━━━━━━━━━━━━━━━━━━━━━━━━',
      'why not? use pnpm',
    ])
    expect(answerTo(screen, press('enter'))).toEqual({
      answeredBy,
      selectedOptionId: 'deny',
      comment: 'use pnpm',
    })
  })

  it('does not change the mode on Shift+Tab', () => {
    const shown = reduce(fold(emptyScreen(), [said('go'), asks('npm test')]), { type: 'shown', at: 10_000 })
    const types = [10_100, 10_500].map((now) => readKey(shown, press('shift+tab'), now).type)
    expect(types).toEqual(['nothing', 'nothing'])
    expect(readKey(fold(emptyScreen(), [said('go')]), press('shift+tab'), 0).type).toBe('cycle_mode')
  })
})

quickDescribe('a question of a tool', () => {
  const databases = ['Postgres', 'SQLite', 'MySQL'].map((label, i) => ({
    id: `${i + 1}`,
    label,
    isDefault: i === 1,
  }))
  const yesNo = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ]
  const newId = countingIds()
  const question = (more: Partial<Interaction>): Interaction => ({
    id: newId.interaction(),
    kind: 'input',
    purpose: 'request_info',
    display: { title: 'Which database?' },
    validation: { required: true },
    ...more,
  })
  const select = question({ kind: 'select', options: databases })
  const confirm = question({ kind: 'confirm', display: { title: 'Sure?' }, options: yesNo })
  const input = question({ display: { title: 'Name?', description: 'of the table' } })
  const put = (interaction: Interaction, size = { columns: 40, rows: 14 }) =>
    foldAsked(emptyScreen(size), [said('go'), { type: 'interaction_requested', interaction }])
  /** Returns the rows of the question, without the status line. */
  const shown = (screen: Screen) =>
    plain(drawLive(screen)).filter((row) => row !== '' && !row.includes('waiting for you'))
  const foot = '━━ Enter chooses ❯ · Esc stops ━━━━━━━━━'
  const sure = '━━ Sure? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━'
  const name = '━━ Name? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━'

  it('moves through its options with the arrows and wraps at both ends', () => {
    expect(shown(put(select))).toEqual([
      '━━ Which database? ━━━━━━━━━━━━━━━━━━━━━',
      '   1  Postgres',
      ' ❯ 2  SQLite',
      '   3  MySQL',
      '   w  Another answer',
      foot,
    ])
    const moved = afterKeys(put(select), [press('down'), press('down'), press('down')])
    expect(shown(moved).filter((row) => row.startsWith(' ❯'))).toEqual([' ❯ 1  Postgres'])
    expect(answerTo(moved, press('enter'))).toEqual({ answeredBy, selectedOptionId: '1' })
    expect(answerTo(afterKeys(put(select), [press('up')]), press('enter'))).toMatchObject({
      selectedOptionId: '1',
    })
    const words = afterKeys(put(select), [press('down'), press('down'), press('enter'), type('none')])
    expect(answerTo(words, press('enter'))).toEqual({ answeredBy, inputValue: 'none' })
  })

  it.each([
    [press('enter'), { answeredBy, selectedOptionId: '2' }],
    [type('3'), { answeredBy, selectedOptionId: '3' }],
    [type('4'), 'edit'],
    [type('y'), 'edit'],
    [press('ctrl+d'), { answeredBy, cancelled: true }],
    [press('esc'), 'interrupt'],
  ])('is answered by %j', (key, expected) => {
    expect(answerTo(put(select), key)).toEqual(expected)
  })

  it('accepts an answer in words', () => {
    const screen = put(select)
    const writing = afterKeys(screen, [type('w'), type('none')])
    expect(shown(writing)).toEqual(['━━ Which database? ━━━━━━━━━━━━━━━━━━━━━', '› none'])
    expect(answerTo(writing, press('enter'))).toEqual({ answeredBy, inputValue: 'none' })
    expect(afterKeys(writing, [press('esc')])).toEqual(screen)
  })

  it('accepts a letter but no words for yes or no', () => {
    expect(shown(put(confirm))).toEqual([sure, ' ❯ y  Yes', '   n  No', foot])
    expect(answerTo(put(confirm), type('n'))).toEqual({ answeredBy, selectedOptionId: 'no' })
    expect(answerTo(put(confirm), type('w'))).toBe('edit')
  })

  it('starts with text input if it has no options', () => {
    expect(shown(put(input))).toEqual([name, '   of the table', '›'])
    const written = afterKeys(put(input), [type('users'), press('left'), { type: 'paste', text: '_' }])
    expect(shown(written)).toEqual([name, '   of the table', '› user_s'])
    expect(answerTo(written, press('enter'))).toEqual({ answeredBy, inputValue: 'user_s' })
    expect(answerTo(put(input), press('enter'))).toBe('nothing')
    expect(answerTo(put(question({ validation: { required: false } })), press('enter'))).toEqual({
      answeredBy,
    })
    expect(answerTo(put(input), press('ctrl+d'))).toEqual({ answeredBy, cancelled: true })
    expect(answerTo(written, press('esc'))).toBe('interrupt')
  })

  it('shows a long title in full, and the options around the focused one', () => {
    const title = 'Which of these databases shall the tests run against from now on?'
    const options = Array.from({ length: 9 }, (_, i) => ({ id: `${i + 1}`, label: `db ${i + 1}` }))
    const screen = put(question({ kind: 'select', display: { title }, options }), { columns: 40, rows: 9 })
    expect(shown(screen)).toEqual([
      '━━ Which of these databases shall the ━━',
      '   tests run against from now on?',
      ' ❯ 1  db 1',
      '   2  db 2',
      '   3  db 3',
      '   4  db 4',
    ])
    const end = afterKeys(screen, [press('up')])
    expect(shown(end).slice(2)).toEqual([
      ...['   7  db 7', '   8  db 8', '   9  db 9'],
      ' ❯ w  Another answer',
    ])
  })

  it('asks several parts one by one and sends one answer', () => {
    const parts = [select, confirm, input]
    const screen = put(question({ kind: 'composite', display: { title: '3 questions' }, parts }))
    expect(shown(screen)[0]).toBe('━━ 1/3 Which database? ━━━━━━━━━━━━━━━━━')
    const second = afterKeys(screen, [press('down'), press('enter')])
    expect(shown(second)).toEqual(['━━ 2/3 Sure? ━━━━━━━━━━━━━━━━━━━━━━━━━━━', ' ❯ y  Yes', '   n  No', foot])
    const third = afterKeys(second, [type('y')])
    expect(shown(third)).toEqual(['━━ 3/3 Name? ━━━━━━━━━━━━━━━━━━━━━━━━━━━', '   of the table', '›'])
    const written = afterKeys(third, [type('Ann')])
    expect(answerTo(written, press('enter'))).toEqual({
      answeredBy,
      parts: [
        { interactionId: select.id, answeredBy, selectedOptionId: '3' },
        { interactionId: confirm.id, answeredBy, selectedOptionId: 'yes' },
        { interactionId: input.id, answeredBy, inputValue: 'Ann' },
      ],
    })
    expect(answerTo(third, press('ctrl+d'))).toEqual({ answeredBy, cancelled: true })
  })

  it('rejects an invalid answer to one of several parts', () => {
    const port = question({ validation: { regex: '^\\d+$' } })
    const screen = put(question({ kind: 'composite', parts: [port, confirm] }))
    const written = afterKeys(screen, [type('http')])
    expect(() => readKey(written, press('enter'), 10_000)).toThrow('the answer does not match ^\\d+$')
  })
})

quickDescribe('Ctrl+C and Esc', () => {
  const idle = emptyScreen()
  const written = afterKeys(idle, [type('words')])

  it('Ctrl+C clears the draft, else stops the turn, else asks to quit; a second one soon after quits', () => {
    const press3 = (screen: Screen, now: number) => readKey(screen, press('ctrl+c'), now).type
    const busy = fold(written, [said('go')])
    const cleared = reduce(busy, { type: 'cleared' })
    const stopped = reduce(cleared, { type: 'interrupted' })
    const asking = reduce(stopped, { type: 'quit_asked', at: 300 })
    expect([busy, cleared, stopped, asking].map((screen, i) => press3(screen, i * 100))).toEqual([
      'clear',
      'interrupt',
      'ask_quit',
      'quit',
    ])
    expect([press3(written, 0), press3(asking, 1_300)]).toEqual(['clear', 'ask_quit'])
    expect(readKey(cleared, press('esc'), 0)).toEqual({ type: 'interrupt' })
    expect([cleared.prompt.text, afterKeys(cleared, [press('up')]).prompt.text]).toEqual(['', 'words'])
  })

  it('Ctrl+C first clears the text of an answer', () => {
    const writing = afterKeys(asked('npm test'), [type('w'), type('use pnpm')])
    const cleared = afterKeys(writing, [press('ctrl+c')])
    expect([cleared.questions[0]?.words?.text, readKey(cleared, press('ctrl+c'), 10_000).type]).toEqual([
      '',
      'interrupt',
    ])
  })

  it('Esc only counts as the first of two when idle; Ctrl+D quits only from an empty prompt', () => {
    expect([
      readKey(idle, press('esc'), 0),
      readKey(idle, press('ctrl+d'), 0),
      readKey(written, press('ctrl+d'), 0),
    ]).toEqual([{ type: 'escape' }, { type: 'quit' }, { type: 'nothing' }])
  })
})

slowIt('redraws a question at a cost that does not grow with its content', async () => {
  const screens = new Map([100_000, 1_600_000].map((size) => [size, asked('word '.repeat(size / 5))]))
  const draw = (size: number) => {
    const screen = screens.get(size)
    for (let i = 0; i < 200 && screen !== undefined; i++) drawLive(screen)
  }
  draw(100_000)
  expect(await growth(draw, 1_600_000)).toBeLessThan(6)
})

quickDescribe('the reason for a call', () => {
  const asking = asks('npm test')
  const reply = (words: string) => ({
    type: 'message' as const,
    message: assistant(text(words), call('call_1', 'bash')),
  })
  const rowsOf = (words: string, rows = 14) =>
    plain(
      drawLive(
        foldAsked(emptyScreen({ columns: 60, rows }), [
          said('go'),
          reply(words),
          { ...asking, callId: 'call_1' },
        ]),
      ),
    )
      .slice(1)
      .filter((row) => row.includes('npm test') || row.includes('says'))

  it.each([
    ['I look first.\n\nThen I run\nthe tests.', '   the model says: “Then I run the tests.”'],
    ['Fine\u001b[2J\u202e', '   the model says: “Fine\\x1b[2J\\u202e”'],
    ['a'.repeat(90), `   the model says: “${'a'.repeat(39)}…`],
  ])('is what the model said last before it, in one row', (words, row) => {
    expect(rowsOf(words)).toEqual([row, '   npm test'])
  })

  it('gives way to the question in a small window', () => {
    expect(rowsOf('I run the tests.', 12)).toEqual(['   npm test'])
  })
})
