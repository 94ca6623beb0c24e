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

  it('are not written again if they stay', () => {
    const before = ['draft', 'rule', 'status 1']
    expect(changeRows(before, ['draft', 'rule', 'status 2'])).not.toContain('rule')
    expect(changeRows(before, before)).toBe('')
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
