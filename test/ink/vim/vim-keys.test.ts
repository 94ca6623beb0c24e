import { describe, expect, it } from 'vitest'
import { bindings } from '../../../src/ink/keys/bindings.ts'
import { editPrompt } from '../../../src/ink/prompt/editing.ts'
import { clearPrompt, emptyPrompt, paste, writePrompt } from '../../../src/ink/prompt/prompt.ts'
import { drawDraftOf } from '../../../src/ink/prompt/prompt-view.ts'
import { newVim, vimLabel } from '../../../src/ink/vim/vim.ts'
import { settledPrompt, withEditor } from '../../../src/ink/vim/vim-change.ts'
import { afterKeys, marked, normalPrompt, typed } from './after-keys.ts'

const vimPrompt = withEditor(emptyPrompt, true)

/** Returns the keys of a prompt after some more, as the status line shows them. */
function labelAfter(keys: string): string {
  const { vim } = typed(normalPrompt('|foo (bar)'), keys)
  return vim === undefined ? '' : vimLabel(vim)
}

describe('the modes', () => {
  it.each([
    ['i', 'INSERT'],
    ['i<Esc>', 'NORMAL'],
    ['2d3', 'NORMAL 2d3'],
    ['2d3<Esc>', 'NORMAL'],
    ['g', 'NORMAL g'],
    ['d"', 'NORMAL'],
    ['v', 'VISUAL'],
    ['vi', 'VISUAL i'],
    ['V', 'V-LINE'],
    ['vV', 'V-LINE'],
    ['vv', 'NORMAL'],
    ['v<Esc>', 'NORMAL'],
    ['qz', 'NORMAL'],
  ])('are shown: after %s it is %s', (keys, label) => {
    expect(labelAfter(keys)).toBe(label)
  })

  it('begins in the insert mode, where keys are those of the usual prompt', () => {
    const written = typed(vimPrompt, 'foo bar')
    expect(marked(editPrompt(written, { type: 'press', name: 'ctrl+w' }) ?? written)).toBe('foo |')
    expect(marked(typed(written, '<Esc>'))).toBe('foo ba|r')
  })

  it('reads what comes in one piece as its single keys', () => {
    const prompt = normalPrompt('|foo bar')
    expect(editPrompt(prompt, { type: 'text', text: 'wcwbaz dw' })?.text).toBe('foo baz dw')
  })

  it('inserts a paste at the cursor and stays in the normal mode', () => {
    const pasted = settledPrompt(
      editPrompt(normalPrompt('fo|o'), { type: 'paste', text: 'x y' }) ?? vimPrompt,
    )
    expect([marked(pasted), pasted.vim?.mode]).toEqual(['fox y|o', 'normal'])
  })

  it('puts the cursor on a character of what others write', () => {
    expect(marked(settledPrompt(writePrompt(normalPrompt('|'), { text: 'foo', pastes: [] })))).toBe('fo|o')
  })
})

describe('a placeholder', () => {
  const held = typed({ ...paste(typed(vimPrompt, 'see '), 'row\n'.repeat(9)), vim: newVim }, ' now<Esc>')
  const placeholder = '[pasted 9 lines · 36 bytes]'

  it.each([
    ['0w', `see |${placeholder} now`],
    ['0wx', 'see | now'],
    ['0ww', `see ${placeholder} |now`],
    ['0wdiw', 'see | now'],
    ['0f[', `|see ${placeholder} now`],
    ['0wywP', `see ${placeholder}| ${placeholder} now`],
    ['0wdaw', 'see |now'],
    ['0wi(<Esc>A)<Esc>%', `see |(${placeholder} now)`],
  ])('is one character, word and no brackets: %s', (keys, after) => {
    expect(marked(typed(held, keys))).toBe(after)
  })

  it('keeps its text when it is put into another draft', () => {
    const sent = clearPrompt(typed(held, '0wyaw'))
    const put = typed(sent, '<Esc>p')
    expect([put.text, put.pastes.map(({ text }) => text)]).toEqual([`${placeholder} `, ['row\n'.repeat(9)]])
  })
})

describe('what outlives a message', () => {
  it('is the register, the search and the change, in a prompt that begins in the insert mode', () => {
    const sent = clearPrompt(typed(normalPrompt('|a,b,c'), 'dt,'))
    expect(sent.vim?.mode).toBe('insert')
    expect(marked(typed(sent, 'x y<Esc>0.'))).toBe('|x y')
    expect(marked(typed(sent, 'd,e<Esc>0.'))).toBe('|,e')
    expect(marked(typed(sent, '<Esc>p'))).toBe('|a')
  })
})

describe('earlier messages', () => {
  const sent = ['one', 'two\nlines'].reduce(
    (now, text) => clearPrompt(writePrompt(now, { text, pastes: [] })),
    vimPrompt,
  )

  it.each([
    ['<Esc>k', 'two\nline|s'],
    ['<Esc>kk', 'tw|o\nlines'],
    ['<Esc>kkk', 'on|e'],
    ['<Esc>kkkj', 'two\nline|s'],
    ['new<Esc>kjj', 'ne|w'],
    ['<Esc>kvkk', 'tw|o\nlines'],
  ])('come with k at the first row and j at the last: %s', (keys, after) => {
    expect(marked(typed(sent, keys))).toBe(after)
  })
})

it('moves by rows as they are shown', () => {
  const prompt = normalPrompt(`|${'word '.repeat(6)}end`)
  const editing = { bindings, columns: 10 }
  expect(editPrompt(prompt, { type: 'text', text: 'j' }, editing)?.cursor).toBe(10)
})

it.each([
  ['left', 'foo b|ar'],
  ['home', '|foo bar'],
  ['ctrl+left', 'foo |bar'],
  ['backspace', 'foo b|ar'],
  ['delete', 'foo b|a'],
])('reads %s as a command', (name, after) => {
  const prompt = normalPrompt('foo ba|r')
  const done = editPrompt(prompt, { type: 'press', name })
  expect(done && marked(done)).toBe(after)
})

it('keeps deleted text for Ctrl+Y in the insert mode', () => {
  const deleted = typed(normalPrompt('|foo bar'), 'dwA ')
  const back = editPrompt(deleted, { type: 'press', name: 'ctrl+y' })
  expect(back?.text).toBe('bar foo ')
})

it('marks what is selected, and the cursor in it', () => {
  const shown = (keys: string) =>
    drawDraftOf(typed(normalPrompt('|foo bar\n\nbaz'), keys), { columns: 40, rows: 24 }).map((row) =>
      row
        .map(({ text, style }) => (style?.isCursor ? `<${text}>` : style?.inverse ? `(${text})` : text))
        .join(''),
    )
  expect(shown('we')).toEqual(['› foo ba<r>', '  ', '  baz'])
  expect(shown('wve')).toEqual(['› foo (ba)<r>', '  ', '  baz'])
  expect(shown('wveo')).toEqual(['› foo <b>(ar)', '  ', '  baz'])
  expect(shown('VG')).toEqual(['› (foo bar)', '  ( )', '  <b>(az)'])
})

it('does nothing more often than 999 times', () => {
  expect(afterKeys('|a', 'yl99999999p').length).toBe(1_001)
})
