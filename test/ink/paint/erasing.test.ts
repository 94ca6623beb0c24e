import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { Painter } from '../../../src/ink/paint/painter.tsx'
import { line } from '../../../src/ink/rows/line.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { quickIt as it, sized, sizedIt } from '../../support/thorough.ts'
import { createTrees } from './scenes.ts'

const size = { columns: 80, rows: 25 }
const finished = Array.from({ length: 40 }, (_, i) => line(`row ${i} ${'of the last answer '.repeat(3)}`))
const live = fc.array(fc.constantFrom('', 'short', 'x'.repeat(79), 'words '.repeat(10), 'हिन्दी '.repeat(9)), {
  minLength: 1,
  maxLength: 5,
})

/** A terminal with these live rows below an answer. `rewraps`: whether it breaks rows that are too wide for a narrower window. */
async function opened(rows: readonly string[], rewraps: boolean, hasCursor = false) {
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    convertEol: true,
    ...(rewraps ? {} : { windowsPty: { backend: 'conpty' as const, buildNumber: 1 } }),
  })
  const clock = createHandClock()
  let bytes = ''
  const write = (written: string) => {
    bytes += written
  }
  const painter = new Painter({ stdout: process.stdout, clock, write })
  const settled = async () => {
    await new Promise<void>((resolve) => terminal.write(bytes, resolve))
    bytes = ''
  }
  const prompt = [line('> 日', { isCursor: true }), line('short')]
  const below = hasCursor ? prompt : []
  painter.paint(createTrees(size, hasCursor)(finished, [...rows.map((row) => line(row)), ...below]), size)
  await settled()
  const text = () => {
    const { active } = terminal.buffer
    const all = Array.from({ length: active.baseY + active.cursorY + 1 }, (_, i) => active.getLine(i))
    return all
      .map((one) => (one?.isWrapped ? '' : '\n') + (one?.translateToString(true, 0, terminal.cols) ?? ''))
      .join('')
  }
  return { terminal, clock, painter, settled, text }
}

const answered = /row (\d+) of/g
const answer = finished.map((_, i) => String(i))
const answerIn = (text: string) => Array.from(text.matchAll(answered), ([, number]) => number)

describe('live rows after a change of the window', () => {
  const check = (test: (rows: readonly string[], columns: number, choice: boolean) => Promise<void>) =>
    fc.assert(fc.asyncProperty(live, fc.integer({ min: 20, max: 100 }), fc.boolean(), test), {
      numRuns: sized(100, 20),
    })
  /** Narrows or widens the window and erases the live rows. Returns what is left. */
  const leftAfter = async (
    { terminal, painter, settled, text }: Awaited<ReturnType<typeof opened>>,
    columns: number,
    rewraps: 'cells' | 'nothing',
  ) => {
    terminal.resize(columns, size.rows)
    painter.noteResize({ columns, rows: size.rows })
    painter.erase({ columns, rows: size.rows }, 0, { rewraps, lost: 0 })
    await settled()
    painter.close()
    return text()
  }

  sizedIt.each([
    ['rewraps', 'cells'],
    ['cuts rows off', 'nothing'],
  ] as const)('are erased, and no row above them, on a terminal that %s', (_, rewraps) =>
    check(async (rows, columns, hasCursor) => {
      const screen = await opened(rows, rewraps === 'cells', hasCursor)
      screen.clock.advance(1_000)
      const left = await leftAfter(screen, columns, rewraps)
      expect(answerIn(left)).toEqual(answer)
      const isSure = rewraps === 'nothing' || !rows.some((row) => row.startsWith('हि'))
      if (isSure) expect(left).not.toMatch(/xx|short|words/)
    }),
  )

  sizedIt('stay rather than a row above them goes, where it is not known what the terminal does', () =>
    check(async (rows, columns, rewraps) => {
      // The finished rows were written just now: maybe in the new window.
      expect(answerIn(await leftAfter(await opened(rows, rewraps), columns, 'cells'))).toEqual(answer)
    }),
  )

  it.each([
    [0, '\r\u001b[3A\u001b[J'],
    [2, '\r\u001b[1A\u001b[J'],
    [3, '\r\u001b[J'],
    // The cursor stands on a row of the answer.
    [4, '\r\n\u001b[J'],
  ])('are erased as far as they are left where the window lost %d rows', (lost, bytes) => {
    let written = ''
    const write = (part: string) => {
      written += part
    }
    const painter = new Painter({ stdout: process.stdout, clock: createHandClock(), write })
    painter.paint(createTrees(size)([], [line('a'), line('b'), line('c')]), size)
    written = ''
    painter.erase({ columns: 80, rows: 12 }, 0, { rewraps: 'nothing', lost })
    painter.close()
    expect(written).toBe(bytes)
  })
})
