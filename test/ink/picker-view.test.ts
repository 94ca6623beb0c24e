import fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnsOfLine } from '../../src/ink/line.ts'
import { drawLive } from '../../src/ink/live.ts'
import { addItems, openPicker, type Picker } from '../../src/ink/picker.ts'
import { drawPicker, pickerArea } from '../../src/ink/picker-view.ts'
import type { Screen, Size } from '../../src/ink/state.ts'
import { asks, emptyScreen, foldAsked } from './conversation.ts'
import { plain } from './screen-text.ts'

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
    '  fix the parser',
    '  and say why',
    '',
    'Enter chooses · Esc cancels',
  ])
})

it('a list fits a window of 40 columns, without the facts for which there is no room', () => {
  expect(drawn(sessions, { columns: 40, rows: 12 })).toEqual([
    '',
    'Continue which?',
    '›',
    '❯ fix the parser, which fails on …   3 h',
    '  日本語のコードを説明してくださ…   12 d',
    '  fix the parser',
    '  and say why',
    '',
    'Enter chooses · Esc cancels',
  ])
})

it('a list says when it is read, when nothing matches, and how many items there are', () => {
  const area = { columns: 60, rows: 5 }
  const head = (picker: Picker) => plain(drawPicker(picker, area)).slice(0, 3)
  const many = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, label: `item ${i}` }))
  const long = { ...addItems(openPicker('Which?'), many), isLoading: false, focus: 100 }
  expect([
    head(openPicker('Which?', 'zebra')),
    head({ ...addItems(openPicker('Which?', 'zebra'), items), isLoading: false }),
    head({ ...addItems(openPicker('Which?', '日本'), items), isLoading: false }),
    plain(drawPicker(long, area)),
  ]).toEqual([
    ['Which?  0 …', '› zebra', '  reading …'],
    ['Which?  0 of 2', '› zebra', '  nothing matches: Esc clears the filter'],
    ['Which?  1 of 2', '› 日本', '❯ 日本語のコードを説明してください、できる…  12 d  640 bytes'],
    ['Which?  200', '›', '  item 99', '❯ item 100', '  item 101'],
  ])
})

it('a question that opens meanwhile is shown first', () => {
  const asked = foldAsked(showing(sessions, { columns: 60, rows: 20 }), [asks('npm test')])
  expect(plain(drawLive(asked)).join('\n')).toMatch(/Allow bash\?(?![\s\S]*Continue which)/)
  expect(plain(drawLive({ ...asked, questions: [] })).join('\n')).toContain('Continue which?')
})

it('the rows of a list always fit the window, whatever its size and contents', () => {
  const label = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constant('語'.repeat(60)))
  const item = fc.record({ id: fc.uuid(), label, facts: fc.array(label, { maxLength: 3 }), preview: label })
  const picker = fc
    .record({
      items: fc.array(item, { maxLength: 40 }),
      filter: fc.string({ maxLength: 5 }),
      focus: fc.nat(50),
    })
    .map(({ items, filter, focus }) => {
      const found = addItems(openPicker('Which one?', filter), items)
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
