import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeRows, writeAbove } from '../../../src/ink/paint/changed-rows.ts'

const size = { cols: 20, rows: 12 }

/** Writes bytes to a terminal after some earlier rows. Returns the rows behind those, and how many have left the screen. */
async function written(earlier: number, bytes: string) {
  const terminal = new Terminal({ ...size, allowProposedApi: true, convertEol: true })
  const before = Array.from({ length: earlier }, (_, i) => `earlier ${i}\n`).join('')
  await new Promise<void>((resolve) => terminal.write(before + bytes, resolve))
  const { active } = terminal.buffer
  const count = active.baseY + active.cursorY
  const rows = Array.from(
    { length: count },
    (_, i) => active.getLine(i)?.translateToString(true).trimEnd() ?? '',
  )
  const scrolled = active.baseY
  terminal.dispose()
  return { rows: rows.slice(earlier), scrolled }
}

/** Writes bytes to a wide terminal. Returns each cell of its first rows with its style. */
async function cells(bytes: string): Promise<readonly string[]> {
  const terminal = new Terminal({ cols: 200, rows: 12, allowProposedApi: true, convertEol: true })
  await new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const { active } = terminal.buffer
  const all: string[] = []
  for (let y = 0; y < active.cursorY; y++) {
    for (let x = 0; x < 120; x++) {
      const cell = active.getLine(y)?.getCell(x)
      const characters = cell?.getChars().trim() ?? ''
      const ofText = characters === '' ? [] : [cell?.getFgColor(), cell?.isBold()]
      all.push(`${characters} ${[...ofText, cell?.getBgColor(), cell?.isInverse()].join(' ')}`)
    }
  }
  terminal.dispose()
  return all
}

function styled([open = '', close = '']: readonly string[], text: string): string {
  return open === '' ? text : `\u001b[${open}m${text}\u001b[${close}m`
}

async function shown(earlier: number, bytes: string): Promise<readonly string[]> {
  return (await written(earlier, bytes)).rows
}

const below = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('')
const rows = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'bb', '', 'a row of full width:', '日本'), { minLength: 1, maxLength })
const earlier = fc.integer({ min: 0, max: 15 })

describe('live rows', () => {
  it('become others, whatever stood there', async () => {
    await fc.assert(
      fc.asyncProperty(earlier, rows(6), rows(6), async (count, before, after) => {
        expect(await shown(count, below(before) + changeRows(before, after))).toEqual(after)
      }),
    )
  })

  it('keep their styles, whatever they share with the row in their place', async () => {
    const words = fc.constantFrom('word', ' ', ' '.repeat(12), 'of a row', '日本', '\u0301', '•', '👩🏽')
    const styles = fc.constantFrom(
      ['', ''],
      ['1', '22'],
      ['36', '39'],
      ['38;5;241', '39'],
      ['7', '27'],
      ['48;5;1', '49'],
    )
    const part = fc
      .tuple(words, styles, styles)
      .map(([word, outer, inner]) => styled(outer, styled(inner, word)))
    const row = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
    const grown = fc.tuple(row, row, row).map(([start, end, other]) => [start + end, start + other])
    await fc.assert(
      fc.asyncProperty(fc.array(grown, { minLength: 1, maxLength: 4 }), async (all) => {
        const [before, after] = [all.map(([one = '']) => one), all.map(([, other = '']) => other)]
        const fresh = await cells(changeRows([], after))
        expect(await cells(changeRows([], before) + changeRows(before, after))).toEqual(fresh)
        expect(await cells(changeRows([], before) + writeAbove(after, before, before))).toEqual(
          await cells(writeAbove(after, [], before)),
        )
      }),
    )
  })

  it('are not written again if they stay', () => {
    const before = ['draft', 'rule', 'status 1']
    expect(changeRows(before, ['draft', 'rule', 'status 2'])).not.toContain('rule')
    expect(changeRows(before, before)).toBe('')
  })

  it('are not written again when they become finished', () => {
    const bytes = writeAbove(['first', 'second'], ['first', 'sec', 'draft'], ['third', 'draft'])
    expect(bytes).not.toContain('first')
    expect(bytes).toContain('second')
  })

  it('are pushed down by finished rows, which scroll the screen no further than they must', async () => {
    await fc.assert(
      fc.asyncProperty(earlier, rows(5), rows(6), rows(6), async (count, finished, before, after) => {
        const pushed = await written(count, below(before) + writeAbove(finished, before, after))
        expect(pushed.rows).toEqual([...finished, ...after])
        const height = count + Math.max(before.length, finished.length + after.length)
        expect(pushed.scrolled).toBe(Math.max(0, height + 1 - size.rows))
      }),
    )
  })
})
