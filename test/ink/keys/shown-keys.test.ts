import { describe, expect, it } from 'vitest'
import { rebind } from '../../../src/ink/keys/rebind.ts'
import { drawKeys } from '../../../src/ink/keys/shown-keys.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import { emptyScreen } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const open = (columns: number) =>
  reduce(emptyScreen({ columns, rows: 24 }), { type: 'keys_shown', isShown: true })

describe('the keys of most use', () => {
  it('take eight rows in any width, and name the whole help', () => {
    for (let columns = 1; columns < 130; columns++) {
      const rows = drawKeys(open(columns))
      expect(rows).toHaveLength(8)
      expect(Math.max(...rows.map(columnsOfLine))).toBeLessThanOrEqual(columns)
    }
    expect(plain(drawKeys(open(80))).at(-1)).toContain('/help')
    expect(plain(drawKeys(open(40))).at(-1)).toContain('/help')
  })

  it('are those of the user, and none that has no key', () => {
    const bindings = rebind({ queue: 'ctrl+q', thoughts: [] })
    const rows = plain(drawKeys({ ...open(80), bindings })).join('\n')
    expect(rows).toContain('Ctrl+Q')
    expect(rows).not.toContain('thoughts')
  })

  it('are gone with the next key', () => {
    expect(drawKeys(reduce(open(80), { type: 'pressed', at: 1 }))).toEqual([])
  })
})
