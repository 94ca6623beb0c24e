import { columnsOfLine, type Line } from './line.ts'
import type { Size } from './state.ts'

/**
 * The terminal as Ink sees it. Its width is the one that was last drawn for, and its height is without end: Ink would wipe screen and
 * scrollback where it fears that the live rows do not fit, and they are made to fit.
 */
export interface Canvas {
  readonly stdout: NodeJS.WriteStream
  /** Takes a new width over. The rows that stand there now were broken anew by the terminal, and Ink is to find them gone. */
  resize(size: Size, shown: readonly Line[]): void
  /** Lets Ink draw again what it believes to stand there. */
  redraw(): void
}

export function createCanvas(stdout: NodeJS.WriteStream, size: Size): Canvas {
  let { columns } = size
  const redrawers = new Set<() => void>()
  const on = (event: string, listener: () => void): void => {
    if (event === 'resize') redrawers.add(listener)
  }
  const canvas: NodeJS.WriteStream = Object.create(stdout, {
    columns: { get: () => columns },
    rows: { value: Number.MAX_SAFE_INTEGER },
    write: { value: stdout.write.bind(stdout) },
    on: { value: on },
    off: { value: (_: string, listener: () => void) => redrawers.delete(listener) },
  })
  return {
    stdout: canvas,
    resize: (next, shown) => {
      const broken = shown.reduce((sum, row) => sum + extraRows(row, next.columns), 0)
      if (next.columns < columns && broken > 0)
        stdout.write(`\u001b[2K${'\u001b[1A\u001b[2K'.repeat(broken)}`)
      columns = next.columns
    },
    redraw: () => {
      for (const redraw of redrawers) redraw()
    },
  }
}

/** How many rows more a row takes in a narrower window. */
function extraRows(row: Line, columns: number): number {
  return Math.max(0, Math.ceil(columnsOfLine(row) / columns) - 1)
}
