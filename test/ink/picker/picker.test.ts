import { describe, expect, it } from 'vitest'
import { fuzzyMatcher } from '../../../src/ink/completion/fuzzy-matcher.ts'
import {
  addItems,
  loaded,
  openPicker,
  type Picker,
  replaceItems,
  withMatcher,
} from '../../../src/ink/picker/picker.ts'
import type { PickerItem } from '../../../src/ink/picker/picker-item.ts'
import { readPickerKey } from '../../../src/ink/picker/picker-keys.ts'
import type { Key } from '../../../src/ink/tty/key.ts'

const press = (name: string): Key => ({ type: 'press', name })
const type = (text: string): Key => ({ type: 'text', text })

function filled(...items: readonly PickerItem[]): Picker {
  return addItems(openPicker('Which?'), items)
}

/** Returns the picker after these keys, none of which may close it. */
function keyed(picker: Picker, ...keys: readonly Key[]): Picker {
  return keys.reduce((now, key) => {
    const action = readPickerKey(now, 3, key)
    if (action.type === 'pick' || action.type === 'cancel_pick') throw new Error(`closed by ${key.type}`)
    return action.type === 'change_picker' ? action.picker : now
  }, picker)
}

const focused = ({ found, focus }: Picker) => found[focus]?.id
const shown = ({ found }: Picker) => found.map(({ id }) => id)

const ten = filled(...Array.from({ length: 10 }, (_, i) => ({ id: String(i), label: `item ${i}` })))

describe('the focus of a list', () => {
  it.each([
    [['down', 'down', 'up'], '1'],
    [['up'], '0'],
    [['pagedown'], '3'],
    [['pagedown', 'pagedown', 'pagedown', 'pagedown'], '9'],
    [['end', 'down'], '9'],
    [['end', 'pageup'], '6'],
    [['end', 'home'], '0'],
  ])('moves by %j to item %s and never past an end', (names, id) => {
    expect(focused(keyed(ten, ...names.map(press)))).toBe(id)
  })

  it('begins at the item that asks for it, also if that is added later', () => {
    const later = addItems(ten, [{ id: 'here', label: 'here', isFocused: true }])
    expect([focused(ten), focused(later)]).toEqual(['0', 'here'])
  })

  it('is what Enter chooses', () => {
    expect(readPickerKey(keyed(ten, press('down')), 3, press('enter'))).toEqual({ type: 'pick', id: '1' })
    expect(readPickerKey(filled(), 3, press('enter'))).toEqual({ type: 'nothing' })
  })
})

describe('the filter of a list', () => {
  const places = filled(
    { id: 'a', label: 'Fix the parser', preview: 'in Zürich' },
    { id: 'b', label: 'Fix the printer' },
    { id: 'c', label: '日本語 の parser' },
  )

  it.each([
    ['fix', ['a', 'b']],
    ['PARSER fix', ['a']],
    ['pars', ['a', 'c']],
    ['日本', ['c']],
    ['zürich', ['a']],
    ['nothing like it', []],
    ['  ', ['a', 'b', 'c']],
  ])('keeps the items with all words of %j, whatever their case', (words, ids) => {
    expect(shown(keyed(places, type(words)))).toEqual(ids)
  })

  it('is edited in one line', () => {
    const edited = keyed(
      places,
      { type: 'paste', text: 'x\nfix' },
      press('ctrl+j'),
      press('home'),
      press('ctrl+a'),
      press('delete'),
    )
    expect([edited.filter.text, shown(edited)]).toEqual([' fix', ['a', 'b']])
    expect(keyed(edited, { type: 'paste', text: 'long '.repeat(1_000) })).toBe(edited)
  })

  it('keeps the focus on its item while that matches, if the list keeps its order', () => {
    const second = keyed({ ...places, keepsOrder: true }, press('down'), type('fix'))
    expect([
      focused(second),
      focused(keyed(second, type(' parser'))),
      focused(keyed(second, press('esc'))),
    ]).toEqual([...['b', 'a', 'b']])
  })

  it('puts the best match first, unless the list keeps its order', () => {
    const names = ['a list of xylophones', 'fix the parser', 'fix it'].map((label) => ({ id: label, label }))
    const ranked = keyed(withMatcher(filled(...names), fuzzyMatcher), press('down'), type('fix'))
    expect([focused(ranked), shown(ranked).length]).toEqual(['fix it', 2])
    const kept = keyed({ ...filled(...names), matcher: fuzzyMatcher, keepsOrder: true }, type('fix'))
    expect(shown(kept)).toEqual(['fix the parser', 'fix it'])
  })

  it('is applied again by a better matcher, and to items that come late', () => {
    const before = keyed(filled({ id: 'x', label: 'claude-sonnet' }), type('clsnt'))
    expect([shown(before), shown(withMatcher(before, fuzzyMatcher))]).toEqual([[], ['x']])
    const late = addItems(withMatcher(before, fuzzyMatcher), [{ id: 'y', label: 'clsnt' }])
    expect([shown(late), focused(late)]).toEqual([['x', 'y'], 'x'])
  })

  it('also applies to items added later', () => {
    expect(
      shown(
        addItems(keyed(places, type('parser')), [
          { id: 'd', label: 'x' },
          { id: 'e', label: 'a parser' },
        ]),
      ),
    ).toEqual(['a', 'c', 'e'])
  })

  it.each(['esc', 'ctrl+c', 'ctrl+d'])('is cleared by %s, which closes the list without one', (name) => {
    const cleared = keyed(places, type('fix'), press(name))
    expect([cleared.filter.text, shown(cleared)]).toEqual(['', ['a', 'b', 'c']])
    expect(readPickerKey(cleared, 3, press(name))).toEqual({ type: 'cancel_pick' })
  })
})

describe('the forms of an item', () => {
  const levels = ['off', 'low', 'high'].map((label) => ({ id: `a:${label}`, label }))
  const models = filled({ id: 'a', label: 'a', variants: levels, variant: 1 }, { id: 'b', label: 'b' })

  it.each([
    [[], 'a:low'],
    [['right'], 'a:high'],
    [['right', 'right', 'left', 'left', 'left'], 'a:off'],
    [['right', 'down', 'left', 'up'], 'a:high'],
    [['down', 'right'], 'b'],
  ])('are chosen by Left and Right: %j gives %s', (names, id) => {
    expect(readPickerKey(keyed(models, ...names.map(press)), 3, press('enter'))).toEqual({ type: 'pick', id })
  })
})

describe('the folded items of a list', () => {
  const fold = (folded: readonly PickerItem[]) => `${folded.length} more`
  const some = addItems(openPicker('Which?', { fold }), [
    { id: 'x', label: 'locked x', isFolded: true },
    { id: 'a', label: 'open a' },
    { id: 'y', label: 'locked y', isFolded: true },
  ])
  const labels = ({ found }: Picker) => found.map(({ label }) => label)

  it('are one row, the last one, which Enter and Right open', () => {
    expect(labels(some)).toEqual(['open a', '2 more'])
    for (const name of ['enter', 'right']) {
      const open = keyed(some, press('end'), press(name))
      expect([labels(open), focused(open)]).toEqual([['locked x', 'open a', 'locked y'], 'x'])
    }
  })

  it('are found by a filter, and folded again without one', () => {
    const found = keyed(some, type('locked'))
    expect([labels(found), labels(keyed(found, press('esc')))]).toEqual([
      ...[
        ['locked x', 'locked y'],
        ['open a', '2 more'],
      ],
    ])
  })

  it('are shown if there is nothing else once all are read, and give the focus to an item that comes late', () => {
    const only = addItems(openPicker('Which?', { fold }), [{ id: 'x', label: 'x', isFolded: true }])
    expect([labels(only), labels(loaded(only))]).toEqual([['1 more'], ['x']])
    expect(focused(addItems(only, [{ id: 'a', label: 'a' }]))).toBe('a')
  })
})

it('a list is sorted by its orders in turn, each group by itself, and stays so while it is filtered', () => {
  const item = (id: string, size: number, group: string) => ({
    id,
    label: id,
    group,
    sortKeys: [0, id, -size],
  })
  const orders = ['last use', 'name', 'size']
  const all = [item('c1', 5, 'p'), item('a', 9, 'q'), item('c10', 7, 'p'), item('c2', 6, 'p')]
  const table = addItems(openPicker('Which?', { orders }), all)
  const sort = press('ctrl+s')
  expect([table, keyed(table, sort), keyed(table, sort, sort)].map(shown)).toEqual([
    ...[
      ['c1', 'a', 'c10', 'c2'],
      ['c1', 'c2', 'c10', 'a'],
      ['c10', 'c2', 'c1', 'a'],
    ],
  ])
  expect(shown(keyed(withMatcher(table, fuzzyMatcher), sort, type('c1')))).toEqual(['c1', 'c10'])
})

it('a list with verbs has no filter: its letters act on the focused item', () => {
  const table = addItems(openPicker('Processes', { verbs: { x: 'stops it' } }), [{ id: 'p1', label: 'npm' }])
  expect(['x', 'y'].map((text) => readPickerKey(table, 3, type(text)))).toEqual([
    { type: 'use_item', id: 'p1', verb: 'x' },
    { type: 'nothing' },
  ])
})

it('a list whose items are replaced keeps the focus on its item', () => {
  const second = keyed(ten, press('down'), press('down'))
  const items = ['0', '2', '3'].map((id) => ({ id, label: `item ${id}` }))
  expect(focused(replaceItems(second, items))).toBe('2')
  expect(focused(replaceItems(keyed(ten, press('end')), items))).toBe('3')
})

it('a list shows no control characters, and each label in one line', () => {
  const hostile = '\u001b[2Jone\ntwo\u0007\u202e'
  expect(filled({ id: '1', label: hostile, facts: [hostile], preview: hostile }).found).toEqual([
    {
      id: '1',
      label: 'one two\\u202e',
      facts: ['one two\\u202e'],
      preview: 'one\ntwo\\u202e',
      searched: 'one two\\u202e\n\none\ntwo\\u202e',
    },
  ])
})
