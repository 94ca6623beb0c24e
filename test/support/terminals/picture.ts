import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless'

/** Colours of a terminal as `#rrggbb`. */
export interface Palette {
  readonly background: string
  readonly foreground: string
  /** The sixteen colours that programs choose by number. */
  readonly colors: readonly string[]
}

const dark = '#1c1f26 #e06c75 #98c379 #d9b36c #61afef #c678dd #56b6c2 #c8ccd4'
const brightOnDark = '#6b7280 #f08a92 #b1d196 #e8c98a #86c1f5 #d79be8 #7cc9d3 #ffffff'
const light = '#24292f #b3261e #2e7d32 #8a6100 #1f5fbf #8e3fa8 #00717d #6e7781'
const brightOnLight = '#57606a #c0392b #388e3c #a67500 #2f6fd0 #9c4fb5 #00838f #8c959f'

export const palettes: Readonly<Record<'dark' | 'light', Palette>> = {
  dark: {
    background: '#1c1f26',
    foreground: '#d5d9e0',
    colors: [...dark.split(' '), ...brightOnDark.split(' ')],
  },
  light: {
    background: '#fdfdfb',
    foreground: '#24292f',
    colors: [...light.split(' '), ...brightOnLight.split(' ')],
  },
}

/** Returns the palette of the terminals on which screens are shown. */
export function shownPalette(): 'dark' | 'light' {
  return process.env['PIPE_PALETTE'] === 'light' ? 'light' : 'dark'
}

/** Size of a cell in pixels, and the margin around the screen. */
const [cellWidth, cellHeight, margin] = [8.4, 18, 12]

/** Draws the screen of a terminal as SVG. */
export function pictureOf(terminal: Terminal, title: string, palette: Palette): string {
  const { cols: columns, rows, buffer } = terminal
  const drawn = Array.from({ length: rows }, (_, row) => {
    const line = buffer.active.getLine(buffer.active.baseY + row)
    return line === undefined ? '' : drawRow(runsOf(line, columns, palette), row)
  })
  const [width, height] = [2 * margin + columns * cellWidth, 2 * margin + rows * cellHeight]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rounded(width)} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>
${drawn.filter((row) => row !== '').join('\n')}
</svg>
`
}

/** Cells beside each other that look alike. */
interface Run {
  readonly column: number
  readonly width: number
  readonly text: string
  readonly back: string | undefined
  readonly style: string
}

function runsOf(line: IBufferLine, columns: number, palette: Palette): readonly Run[] {
  const runs: Run[] = []
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const next = { column, width: cell.getWidth(), text: cell.getChars() || ' ', ...lookOf(cell, palette) }
    const last = runs.at(-1)
    // A wide character stands alone, so that its neighbours keep their columns.
    const isAlike = last?.style === next.style && last.back === next.back && next.width === 1
    if (last === undefined || !isAlike || last.width !== last.text.length) runs.push(next)
    else runs.splice(-1, 1, { ...last, width: last.width + 1, text: last.text + next.text })
  }
  return runs
}

function lookOf(cell: IBufferCell, palette: Palette): Pick<Run, 'back' | 'style'> {
  const text = cell.isFgDefault() ? palette.foreground : colorOf(cell.getFgColor(), cell.isFgRGB(), palette)
  const back = cell.isBgDefault() ? undefined : colorOf(cell.getBgColor(), cell.isBgRGB(), palette)
  const isInverse = cell.isInverse() !== 0
  const fill = isInverse ? (back ?? palette.background) : text
  const lines = [cell.isUnderline() && 'underline', cell.isStrikethrough() && 'line-through'].filter(Boolean)
  const style = [
    `fill="${fill}"`,
    cell.isBold() && 'font-weight="bold"',
    cell.isDim() && 'opacity="0.6"',
    cell.isItalic() && 'font-style="italic"',
    lines.length > 0 && `text-decoration="${lines.join(' ')}"`,
  ]
  return { back: isInverse ? text : back, style: style.filter(Boolean).join(' ') }
}

function colorOf(value: number, isRgb: boolean, { colors, foreground }: Palette): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  if (value < 16) return colors[value] ?? foreground
  if (value >= 232) return hex(Array.from({ length: 3 }, () => 8 + 10 * (value - 232)))
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step)
  const at = value - 16
  return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level))
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function drawRow(runs: readonly Run[], row: number): string {
  const top = margin + row * cellHeight
  const place = (column: number) => rounded(margin + column * cellWidth)
  const backs = runs.flatMap(({ column, width, back }) =>
    back === undefined
      ? []
      : `<rect x="${place(column)}" y="${top}" width="${rounded(width * cellWidth)}" height="${cellHeight}" fill="${back}"/>`,
  )
  const texts = runs.flatMap(({ column, width, text, style }) => {
    const shown = text.trim()
    if (shown === '') return []
    const before = text.length - text.trimStart().length
    const size = rounded((width - (text.length - shown.length)) * cellWidth)
    return `<text x="${place(column + before)}" y="${top + 14}" textLength="${size}" ${style}>${escaped(shown)}</text>`
  })
  return [...backs, ...texts].join('')
}

function rounded(pixels: number): number {
  return Math.round(10 * pixels) / 10
}

/** SVG would fold several spaces into one. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', ' ': '&#160;' }

function escaped(text: string): string {
  return text.replace(/[&<> ]/g, (one) => entities[one] ?? one)
}
