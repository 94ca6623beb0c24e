import { describe, expect, it } from 'vitest'
import { Resizing } from '../../../src/ink/tty/resizing.ts'
import type { TerminalName } from '../../../src/terminal/terminal-name.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

const query = '\u001b[>c\u001b[6n'

/** Opens a window of 80 by 24 that becomes other sizes. Records what the terminal is asked, and what the painter is told. */
function openWindow(name?: TerminalName) {
  const clock = createHandClock()
  let size = { columns: 80, rows: 24 }
  const asked: string[] = []
  const told: object[] = []
  const resizing = new Resizing({
    clock,
    name,
    size: () => size,
    ask: (one) => {
      asked.push(one)
      return true
    },
    onResizing: () => undefined,
    onResize: ({ columns, rows }, reshaped) => told.push({ columns, rows, ...reshaped }),
  })
  const become = (columns: number, rows: number) => {
    size = { columns, rows }
    resizing.change()
  }
  return { clock, resizing, become, asked, told }
}

describe('a window of another size', () => {
  it('is drawn once it stays as it is, without a question where the terminal is known', () => {
    const { clock, resizing, become, asked, told } = openWindow('tmux')
    become(70, 24)
    clock.advance(200)
    become(60, 20)
    expect(resizing.isSettled()).toBe(false)
    clock.advance(200)
    expect(told).toEqual([])
    clock.advance(100)
    expect(told).toEqual([{ columns: 60, rows: 20, rewraps: 'cells', lost: 0 }])
    expect([resizing.isSettled(), asked]).toEqual([true, []])
  })

  it.each([
    ['xterm', '\u001b[>41;379;0c', 'nothing'],
    ['GNU screen', '\u001b[>83;40900;0c', 'text'],
    ['xterm.js', '\u001b[>0;276;0c', 'cells'],
    ['VTE', '\u001b[>65;7402;1c', 'cells'],
  ])('asks a terminal that may be any: %s', (_, answer, rewraps) => {
    const { clock, resizing, become, asked, told } = openWindow('xterm_like')
    become(60, 24)
    clock.advance(300)
    expect([resizing.isSettled(), told, asked]).toEqual([false, [], [query]])
    resizing.hear(answer)
    resizing.hear('\u001b[24;1R')
    expect(told).toEqual([{ columns: 60, rows: 24, rewraps, lost: 0 }])
  })

  it('may have lost its last rows in mosh, if the cursor stands in the last one that it had', () => {
    const { clock, resizing, become, asked, told } = openWindow('xterm_like')
    become(80, 10)
    become(80, 20)
    clock.advance(300)
    resizing.hear('\u001b[>1;10;0c')
    resizing.hear('\u001b[10;1R')
    become(80, 15)
    clock.advance(300)
    resizing.hear('\u001b[9;1R')
    become(60, 15)
    clock.advance(300)
    resizing.hear('\u001b[15;1R')
    expect(told).toEqual([
      { columns: 80, rows: 20, rewraps: 'nothing', lost: 14 },
      { columns: 80, rows: 15, rewraps: 'nothing', lost: 0 },
      { columns: 60, rows: 15, rewraps: 'nothing', lost: 0 },
    ])
    expect(asked).toEqual([query, query, query])
  })

  it('erases the least on a terminal that answers nothing, and waits no longer than it must', () => {
    const { clock, become, told } = openWindow('xterm_like')
    become(60, 20)
    clock.advance(300)
    clock.advance(499)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual([{ columns: 60, rows: 20, rewraps: 'nothing', lost: 4 }])
  })

  it('does not wait where the screen must be drawn now, nor take a late answer for the next one', () => {
    const { clock, resizing, become, told } = openWindow('xterm_like')
    become(60, 24)
    clock.advance(300)
    resizing.settle()
    resizing.hear('\u001b[24;1R')
    become(50, 24)
    resizing.hear('\u001b[23;1R')
    expect(told).toEqual([{ columns: 60, rows: 24, rewraps: 'nothing', lost: 0 }])
  })
})
