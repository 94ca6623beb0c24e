import type { TerminalName } from '../../terminal/terminal-name.ts'

/** Describes how a terminal treats its rows when its window changes. */
export interface Reshaping {
  /** The rows that a narrower window breaks into more: all cells that were written, only their text, or nothing: it cuts rows off. */
  readonly rewraps: 'cells' | 'text' | 'nothing'
  /** Whether a lower window loses its last rows, with the cursor on the last one that stays. Others scroll. */
  readonly losesRows: boolean
}

const rewrapping: Reshaping = { rewraps: 'cells', losesRows: false }
const screen: Reshaping = { rewraps: 'text', losesRows: false }
const cutting: Reshaping = { rewraps: 'nothing', losesRows: false }
/** Of mosh. Taken for terminals that do not say what they are, since it erases the least. */
export const leastReshaping: Reshaping = { rewraps: 'nothing', losesRows: true }

/** Asks which terminal this is (DA2), then for the row and the column of the cursor (DSR 6), which all terminals answer. */
export const reshapingQuery = '\u001b[>c\u001b[6n'

/** Returns what a terminal of this name does. `undefined`: it must be asked, as many take the name of xterm, and some that of screen. */
export function reshapingOf(name: TerminalName | undefined): Reshaping | undefined {
  switch (name) {
    case 'xterm_like':
    case 'screen':
      return undefined
    case 'xterm':
    case 'st':
    case 'linux':
    case 'dvtm':
    case 'emacs':
      return cutting
    default:
      return rewrapping
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: replies are control sequences
const kind = /^\u001b\[>([\d;]*)c$/
const place = /^\u001b\[(\d+);\d+R$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** Terminals that do not rewrap, by the start of their answer: xterm, screen, mosh, PuTTY. */
const others: readonly (readonly [string, Reshaping])[] = [
  ['41;', cutting],
  ['83;', screen],
  ['1;10;', leastReshaping],
  ['0;136;', cutting],
]

/** Returns what the terminal does that told its kind; `undefined` for another reply. */
export function toldReshaping(reply: string): Reshaping | undefined {
  const [, told] = kind.exec(reply) ?? []
  if (told === undefined) return undefined
  return others.find(([start]) => told.startsWith(start))?.[1] ?? rewrapping
}

/** Returns the row of the cursor, from 1, that a reply tells; `undefined` for another reply. */
export function toldRow(reply: string): number | undefined {
  const [, row] = place.exec(reply) ?? []
  return row === undefined ? undefined : Number(row)
}
