import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzzyMatcher } from '../../../src/ink/completion/fuzzy-matcher.ts'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { addItems, openPicker, type Picker, withMatcher } from '../../../src/ink/picker/picker.ts'
import { readPickerKey } from '../../../src/ink/picker/picker-keys.ts'
import { drawMatch } from '../../../src/ink/picker/picker-parts.ts'
import { drawPicker, pickerArea } from '../../../src/ink/picker/picker-view.ts'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import type { Screen, Size } from '../../../src/ink/state.ts'
import { asks, emptyScreen, foldAsked } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const items = [
  {
    id: '1',
    label: 'fix the parser, which fails on an empty line',
    facts: ['3 h', '1.2 kB'],
    preview: 'fix the parser\nand say why',
  },
  { id: '2', label: '日本語のコードを説明してください、できるだけ詳しく', facts: ['12 d', '640 bytes'] },
]
const sessions: Picker = { ...addItems(openPicker('Continue which?'), items), isLoading: false }

const showing = (picker: Picker, size: Size): Screen => ({ ...emptyScreen(size), picker })
const drawn = (picker: Picker, size: Size) => plain(drawLive(showing(picker, size)))

it('a list has a title, a filter, items with facts at the right, and a preview', () => {
  expect(drawn(sessions, { columns: 60, rows: 20 })).toEqual([
    '',
    'Continue which?',
    '›',
    '❯ fix the parser, which fails on an empty …   3 h     1.2 kB',
    '  日本語のコードを説明してください、できる…  12 d  640 bytes',
    '',
    '  fix the parser',
    '  and say why',
    '',
    'type to search · Enter chooses · Esc cancels',
  ])
})

it('a list fits a window of 40 columns, with one row of the preview and the facts that have room', () => {
  expect(drawn(sessions, { columns: 40, rows: 12 })).toEqual([
    '',
    'Continue which?',
    '›',
    '❯ fix the parser, which fails on …   3 h',
    '  日本語のコードを説明してくださ…   12 d',
    '  fix the parser',
    'Enter chooses · Esc cancels',
  ])
})

it('a list says when it is read, when nothing matches, and how many items there are', () => {
  const area = { columns: 60, rows: 5 }
  const head = (picker: Picker) => plain(drawPicker(picker, area)).slice(0, 3)
  const many = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, label: `item ${i}` }))
  const long = { ...addItems(openPicker('Which?'), many), isLoading: false, focus: 100 }
  expect([
    head(openPicker('Which?', { filter: 'zebra' })),
    head({ ...addItems(openPicker('Which?', { filter: 'zebra' }), items), isLoading: false }),
    head({ ...addItems(openPicker('Which?', { filter: '日本' }), items), isLoading: false }),
    plain(drawPicker(long, area)),
  ]).toEqual([
    ['Which?  0 …', '› zebra', '  reading …'],
    ['Which?  0 of 2', '› zebra', '  nothing matches: Esc clears the filter'],
    ['Which?  1 of 2', '› 日本', '❯ 日本語のコードを説明してください、できる…  12 d  640 bytes'],
    ['Which?  200', '›', '  item 99', '❯ item 100', '  item 101'],
  ])
})

it('a label that comes first takes the place of facts, of the first ones first', () => {
  const facts = ['1M context', '$4 / $20', 'thinks']
  const long = 'a-model-with-a-long-name'
  const models = ['short', long, `${long}-and-more`].map((label) => ({ id: label, label, facts }))
  const picker = { ...addItems(openPicker('Which?', { keepsLabels: true }), models), isLoading: false }
  const rows = (columns: number) => plain(drawPicker(picker, { columns, rows: 5 })).slice(2)
  expect([rows(56), rows(40), rows(30)]).toEqual([
    [
      '❯ short                     1M context  $4 / $20  thinks',
      `  ${long}  1M context  $4 / $20  thinks`,
      `  ${long}-and-more     $4 / $20  thinks`,
    ],
    ['❯ short                       1M context', `  ${long}    1M context`, `  ${long}-and-more`],
    ['❯ short', `  ${long}`, `  ${long}-an…`],
  ])
})

it('a wide window shows the preview beside the items', () => {
  expect(drawn(sessions, { columns: 104, rows: 20 }).slice(1, -1)).toEqual([
    'Continue which?',
    '›',
    '❯ fix the parser, which fails on an empty …   3 h     1.2 kB │   fix the parser',
    '  日本語のコードを説明してください、できる…  12 d  640 bytes │   and say why',
  ])
})

describe('a list in groups', () => {
  const models = addItems(openPicker('Model', { keepsOrder: true }), [
    ...['haiku', 'sonnet'].map((label) => ({ id: label, label, group: 'acme' })),
    ...['small', 'large', 'son', 'far'].map((label) => ({ id: label, label, group: 'zeta', isOff: true })),
  ])
  const rows = (picker: Picker, count = 20) =>
    plain(drawPicker({ ...picker, isLoading: false }, { columns: 60, rows: count })).slice(2)

  it('has a heading for each, which stays in sight', () => {
    expect(rows(models)).toEqual([
      ...['  acme', '❯   haiku', '    sonnet'],
      ...['  zeta', '    small', '    large', '    son', '    far'],
    ])
    expect(rows({ ...models, focus: 5 }, 6)).toEqual(['  zeta', '    large', '    son', '❯   far'])
  })

  it('keeps its height and its groups while it is filtered, with the focus on the best match', () => {
    const typed = readPickerKey(withMatcher(models, fuzzyMatcher), 8, { type: 'text', text: 'son' })
    expect(typed.type === 'change_picker' && rows(typed.picker)).toEqual([
      ...['  acme', '❯   sonnet', '  zeta', '    son', '', '', '', ''],
    ])
  })
})

it('the letters that match stand out, and no character is split', () => {
  const marked = (label: string, marks: readonly number[]) =>
    drawMatch(label, marks, {})
      .map(({ text, style }) => (style?.bold === true ? `<${text}>` : text))
      .join('')
  expect([
    marked('claude-sonnet', fuzzyMatcher.marks('claude-sonnet', 'clson')),
    marked('日本語の', fuzzyMatcher.marks('日本語の', '日語')),
    marked('👩‍👩‍👧 e\u0301a', [3, 9]),
    marked('plain', []),
  ]).toEqual([...['<cl>aude-<son>net', '<日>本<語>の', '<👩‍👩‍👧> <e\u0301>a', 'plain']])
})

it('the focused item shows its form between arrows, the one in use is marked', () => {
  const levels = ['off', 'high'].map((label) => ({ id: `a:${label}`, label }))
  const items = [
    { id: 'a', label: 'first', variants: levels, variant: 1, isCurrent: true },
    { id: 'b', label: 'second', variants: levels },
  ]
  const models = { ...addItems(openPicker('Model'), items), isLoading: false }
  expect(drawn(models, { columns: 80, rows: 20 }).slice(3)).toEqual([
    ...['❯ first  ‹ high › ✓', '  second'],
    'type to search · ← → changes its level · Enter chooses · Esc cancels',
  ])
})

it('a question that opens meanwhile is shown first', () => {
  const asked = foldAsked(showing(sessions, { columns: 60, rows: 20 }), [asks('npm test')])
  expect(plain(drawLive(asked)).join('\n')).toMatch(/Allow bash\?(?![\s\S]*Continue which)/)
  expect(plain(drawLive({ ...asked, questions: [] })).join('\n')).toContain('Continue which?')
})

it('the rows of a list always fit the window, whatever its size and contents', () => {
  const label = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constant('語'.repeat(60)))
  const some = { facts: fc.array(label, { maxLength: 3 }), preview: label }
  const group = fc.constantFrom('acme', 'zeta')
  const variants = fc.array(fc.record({ id: fc.uuid(), label }), { minLength: 1, maxLength: 3 })
  const item = fc.record(
    { ...some, id: fc.uuid(), label, group, variants, isOff: fc.boolean(), isCurrent: fc.boolean() },
    { requiredKeys: ['id', 'label', 'preview', 'facts'] },
  )
  const picker = fc
    .record({
      items: fc.array(item, { maxLength: 40 }),
      filter: fc.string({ maxLength: 5 }),
      keepsOrder: fc.boolean(),
      focus: fc.nat(50),
    })
    .map(({ items, filter, focus, keepsOrder }) => {
      const found = addItems(openPicker('Which one?', { filter, keepsOrder }), items)
      return { ...found, focus: Math.min(focus, Math.max(0, found.found.length - 1)) }
    })
  const size = fc.record({ columns: fc.integer({ min: 1, max: 90 }), rows: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(picker, size, (one, { columns, rows }) => {
      const area = pickerArea({ size: { columns, rows } })
      const lines = drawPicker(one, area)
      expect(lines.length).toBeLessThanOrEqual(area.rows)
      expect(drawLive(showing(one, { columns, rows })).length).toBeLessThan(Math.max(2, rows))
      // A wide character needs two columns, even in a window of one.
      expect(Math.max(...lines.map(columnsOfLine))).toBeLessThanOrEqual(Math.max(2, columns))
      if (one.found.length > 0 && columns > 3)
        expect(plain(lines).filter((row) => row.startsWith('❯'))).toHaveLength(1)
    }),
    { numRuns: 40 },
  )
})
