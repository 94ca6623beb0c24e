import { type CostTable, costTable, type Spent, spentByModel } from '../../frontend/reports/cost-report.ts'
import type { Message } from '../../message.ts'
import { printable } from '../../terminal/printable.ts'
import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, span, wrap } from '../rows/line.ts'
import type { ElfState } from '../shown-elf.ts'
import type { Screen } from '../state.ts'
import { RowSource } from './row-source.ts'
import { openView, type View } from './view.ts'

/** Narrower windows leave the columns of cached tokens and of requests out. */
const leastColumns = 60
const gap = '  '

/** Shows what the conversation has spent: by model, and by elf. */
export function costView(
  { status, elves }: Pick<Screen, 'status' | 'elves'>,
  messages: readonly Message[],
): View {
  const table = costTable({
    models: spentByModel(messages).map((one) => ({ ...one, name: printable(one.name) })),
    elves: elves.map(spentByElf),
    own: { usage: status.usage, costUsd: status.costUsd },
  })
  return openView({
    type: 'cost',
    title: 'Tokens and cost of this conversation',
    source: new RowSource((width) => ({ rows: draw(table, width) })),
  })
}

function spentByElf({ start, model, tokens, costUsd }: ElfState): Spent {
  return { name: printable(`${start.agent} ${start.name} · ${model}`), tokens, costUsd }
}

function draw({ head, rows, total }: CostTable, width: number): readonly Line[] {
  const shown = head.flatMap((name, i) =>
    width < leastColumns && (name === 'cached' || name === 'requests') ? [] : [i],
  )
  const all = [head, ...rows, total]
  const widthOf = (i: number) => Math.max(...all.map((row) => columnsOf(row[i] ?? '')))
  const numbers = shown.slice(1).map((i) => ({ i, width: widthOf(i) }))
  const room = width - numbers.reduce((sum, one) => sum + gap.length + one.width, 0)
  const first = Math.max(8, Math.min(widthOf(0), room))
  const drawRow = (row: readonly string[], style: Parameters<typeof span>[1]): Line => {
    const name = cut(line(row[0] ?? '', style), first)
    const blank = ' '.repeat(Math.max(0, first - columnsOf(row[0] ?? '')))
    const cells = numbers.map((one) => gap + (row[one.i] ?? '').padStart(one.width))
    return cut([...name, span(blank + cells.join(''), style)], width)
  }
  const notes = [
    'Input includes what was read from the cache.',
    ...(all.some((row) => row.at(-1) === '–')
      ? ['– means that the price is unknown; set it in config.json, under models.']
      : []),
  ]
  return [
    drawRow(head, { color: 'muted' }),
    ...rows.map((row) => drawRow(row, {})),
    drawRow(total, { bold: true }),
    [],
    ...notes.flatMap((text) => wrap(line(text, { color: 'muted' }), width)),
  ]
}
