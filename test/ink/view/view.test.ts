import { describe, expect, it } from 'vitest'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { line } from '../../../src/ink/rows/line.ts'
import type { Screen } from '../../../src/ink/state.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { ByteSource, bytesOf } from '../../../src/ink/view/byte-source.ts'
import { RowSource } from '../../../src/ink/view/row-source.ts'
import { openView, type View } from '../../../src/ink/view/view.ts'
import { drawView } from '../../../src/ink/view/view-draw.ts'
import { readViewKey, type ViewAction } from '../../../src/ink/view/view-keys.ts'
import { emptyScreen } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const press = (name: string): Key => ({ type: 'press', name })
const typed = (words: string): Key => ({ type: 'text', text: words })
const size = { columns: 40, rows: 7 }
const numbered = Array.from({ length: 50 }, (_, i) => `line ${i + 1}`)

/** Opens a view of 50 lines of which 5 are visible. */
function open(view: Partial<View> = {}): Screen {
  const source = new ByteSource(bytesOf(numbered.join('\n')))
  return shown(emptyScreen(size), openView({ type: 'output', title: 'bash  count', source, ...view }))
}

function shown(screen: Screen, view: View): Screen {
  return reduce(screen, { type: 'view', view })
}

/** Returns the screen after keys that change the view, and the first action that does something else. */
function keys(screen: Screen, ...all: readonly Key[]): readonly [Screen, ViewAction | undefined] {
  let now = screen
  for (const key of all) {
    const { view } = now
    if (view === undefined) break
    const action = readViewKey(view, now.size, key)
    if (action.type === 'change_view') now = shown(now, action.view)
    else if (action.type !== 'nothing') return [now, action]
  }
  return [now, undefined]
}

function rows(screen: Screen): readonly string[] {
  return screen.view === undefined ? [] : plain(drawView(screen, screen.view))
}

/** Returns the first visible line after these keys. */
function topAfter(...all: readonly Key[]): string | undefined {
  const [screen] = keys(open(), ...all)
  return rows(screen)[1]
}

describe('a view', () => {
  it('fills the screen: its title, as many lines as fit, and where they lie', () => {
    expect(rows(open({ facts: 'call 1 of 2' }))).toEqual([
      '── bash  count ────────── call 1 of 2 ──',
      'line 1',
      'line 2',
      'line 3',
      'line 4',
      'line 5',
      '1–5 of 50 · 8 %    / searches · q closes',
    ])
  })

  it.each<[string, readonly Key[], string]>([
    ['a row down', [press('down'), typed('j'), press('enter')], 'line 4'],
    ['a row up', [typed('jjjj'), press('up'), typed('k')], 'line 3'],
    ['a screen down', [press('pagedown'), typed(' ')], 'line 9'],
    ['a screen up', [typed('G'), press('pageup'), typed('b')], 'line 38'],
    ['half a screen', [typed('ddu')], 'line 3'],
    ['the end, and no further', [typed('G'), press('down'), press('pagedown')], 'line 46'],
    ['the beginning, and no further', [press('end'), press('home'), press('up')], 'line 1'],
  ])('moves by keys: %s', (_, all, expected) => {
    expect(topAfter(...all)).toBe(expected)
  })

  it.each<Key>([press('esc'), typed('q'), press('ctrl+c'), press('ctrl+o')])('closes on %o', (key) => {
    expect(keys(open(), key)[1]).toEqual({ type: 'close_view' })
  })

  it('reads keys that arrive together one by one, and none behind the one that closes it', () => {
    const [screen, action] = keys(open(), typed('jjqy'))
    expect([rows(screen)[1], action]).toEqual(['line 1', { type: 'close_view' }])
  })

  it('asks for what follows the slash, from the top line on', () => {
    const [screen, action] = keys(open(), typed('j/line 4x'), press('backspace'), press('enter'))
    expect(rows(screen).at(-1)).toBe('/line 4')
    expect(action).toEqual({ type: 'search_view', search: { words: 'line 4', from: 7, isBackward: false } })
  })

  it('goes on searching with n and back with N', () => {
    const [, next] = keys(open({ words: 'line' }), typed('n'))
    const [, before] = keys(open({ words: 'line' }), typed('jjN'))
    expect([next, before]).toEqual([
      { type: 'search_view', search: { words: 'line', from: 7, isBackward: false } },
      { type: 'search_view', search: { words: 'line', from: 14, isBackward: true } },
    ])
  })

  it('wraps a long line, scrolls within it, and stays near its place when the screen changes', () => {
    const text = `first\n${'0123456789'.repeat(20)}\nlast\n\n\n`
    const source = new ByteSource(bytesOf(text))
    const [moved] = keys(open({ source }), typed('jj'))
    expect(rows(moved).slice(4, 6)).toEqual(['0123456789'.repeat(4), 'last'])
    const narrow = reduce(moved, { type: 'resized', size: { columns: 20, rows: 4 } })
    expect(rows(narrow).slice(1, 3)).toEqual(['01234567890123456789', '01234567890123456789'])
  })

  it('leads from part to part of a diff, with n and N too while nothing is searched for', () => {
    const source = new RowSource(() => ({ rows: numbered.map((text) => line(text)), parts: [0, 10, 20] }))
    const top = (...all: readonly Key[]) => rows(keys(open({ type: 'diff', source }), ...all)[0])[1]
    expect([top(typed(']')), top(typed('nn')), top(typed('nnN')), top(typed(']]['))]).toEqual([
      'line 11',
      'line 21',
      'line 11',
      'line 11',
    ])
  })

  it.each([1, 2, 3, 4])('fits a screen of %i rows', (height) => {
    const screen = reduce(open(), { type: 'resized', size: { columns: 9, rows: height } })
    expect(rows(screen)).toHaveLength(height)
    expect(rows(screen).filter((row) => row.length > 9)).toEqual([])
  })
})

describe('a text that can be narrowed', () => {
  const narrow = (words: string) =>
    new RowSource(() => ({ rows: numbered.filter((one) => one.includes(words)).map((one) => line(one)) }))
  const help = () => open({ type: 'help', source: narrow(''), narrow })

  it('shows only what has the typed words, at each key', () => {
    const [typing] = keys(help(), typed('/line 4'))
    const [chosen] = keys(typing, typed('2'), press('enter'))
    expect(rows(typing).slice(1, 4)).toEqual(['line 4', 'line 40', 'line 41'])
    expect(rows(chosen).slice(1, 3)).toEqual(['line 42', ''])
  })

  it('shows all again on Esc, and closes on the next one', () => {
    const [wide, action] = keys(help(), typed('/42'), press('enter'), press('esc'), press('esc'))
    expect([rows(wide)[1], action]).toEqual(['line 1', { type: 'close_view' }])
  })
})
