import { printable } from '../../terminal/printable.ts'
import { cut, type Line, line, lines, type Style, span, wrap } from '../rows/line.ts'
import type { ElfState } from '../shown-elf.ts'

const margin = '  '

/** Draws what an elf was told, its session, its last calls, and the end of its text. */
export function drawElfPage({ start, recent, text, asks, reason, state }: ElfState, columns: number): Line[] {
  const paragraph = (words: string, style?: Style) =>
    lines(printable(words).trim(), style).flatMap((one) => wrap([span(margin), ...one], columns, 2))
  const section = (rows: readonly Line[]): readonly Line[] => (rows.length === 0 ? [] : [[], ...rows])
  const session = start.sessionId === undefined ? 'not saved' : `pipe -r ${start.sessionId}`
  const why = reason ?? (state === 'stopped' ? 'stopped' : undefined)
  return [
    ...section(paragraph(start.prompt)),
    ...section(recent.map((call) => cut(line(margin + printable(call), { color: 'muted' }), columns))),
    ...section(asks === undefined ? [] : paragraph(`asks: ${asks.title}`, { color: 'warning' })),
    ...section(text.trim() === '' ? [] : paragraph(text)),
    ...section(why === undefined ? [] : paragraph(why, { color: 'bad' })),
    [],
    ...[`model    ${start.model}`, `session  ${session}`].flatMap((fact) =>
      paragraph(fact, { color: 'muted' }),
    ),
  ]
}
