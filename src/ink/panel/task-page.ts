import type { TaskDetails } from '../../frontend/task-actions.ts'
import type { TaskView } from '../../task.ts'
import { printable } from '../../terminal/printable.ts'
import { visible } from '../../terminal/visible.ts'
import { drawWholeDiff } from '../code/diff.ts'
import type { DrawContent } from '../question/question-content.ts'
import { cut, type Line, line, lines, type Style, span, wrap } from '../rows/line.ts'

const margin = '  '

/** Creates a function that draws rows, and keeps those of the last width. */
function kept(draw: DrawContent): DrawContent {
  let last: { readonly columns: number; readonly rows: readonly Line[] } | undefined
  return (columns) => {
    if (last?.columns !== columns) last = { columns, rows: draw(columns) }
    return last.rows
  }
}

/** Draws a note instead of content, such as `reading …`. */
export function notePage(text: string): DrawContent {
  return (columns) => [[], ...wrap(line(`${margin}${text}`, { color: 'muted' }), columns, margin.length)]
}

/** Draws a unified diff of several files. */
export function diffPage(diff: string): DrawContent {
  if (diff.trim() === '') return notePage('it changed no files')
  return kept((columns) => [[], ...drawWholeDiff(visible(diff), columns)])
}

/** Draws a task: what was asked, how it ended, its facts, and what happened to it. */
export function detailsPage(task: TaskView, { facts, log }: TaskDetails): DrawContent {
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  return kept((columns) => {
    const paragraph = (text: string, style?: Style) =>
      lines(printable(text).trimEnd(), style).flatMap((one) => wrap([span(margin), ...one], columns, 2))
    const section = (rows: readonly Line[]): readonly Line[] => (rows.length === 0 ? [] : [[], ...rows])
    const factRow = ([name, value]: TaskDetails['facts'][number]) =>
      wrap(
        [
          span(`${margin}${name.padEnd(width)}  `, { color: 'muted' }),
          span(printable(value).replace(/\s+/g, ' ')),
        ],
        columns,
        width + 4,
      )
    return [
      ...(task.intent === task.title ? [] : section(paragraph(task.intent))),
      ...section(resultOf(task).flatMap(([text, style]) => paragraph(text, style))),
      ...section(facts.flatMap(factRow)),
      ...section(log.map((one) => cut(line(margin + printable(one), { color: 'muted' }), columns))),
    ]
  })
}

function resultOf({ summary, reason, status }: TaskView): readonly (readonly [string, Style])[] {
  if (summary !== undefined) return [[summary, {}]]
  return reason === undefined ? [] : [[reason, status === 'failed' ? { color: 'bad' } : {}]]
}
