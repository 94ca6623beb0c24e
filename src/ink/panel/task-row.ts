import { oneLine } from '../../characters/one-line.ts'
import { formatAge } from '../../frontend/words/age.ts'
import { formatElapsed } from '../../frontend/words/duration.ts'
import { isOver, type TaskStatus, type TaskView } from '../../task.ts'
import { printable } from '../../terminal/printable.ts'
import { columnsOfLine, cut, type Line, type Span, type Style, span } from '../rows/line.ts'
import type { Offer, TaskList, Verb } from './panel.ts'

interface Look {
  readonly mark: Span
  readonly title: Style
}

const subtle: Style = { color: 'muted' }

const looks: Readonly<Record<TaskStatus, Look>> = {
  awaiting_user: { mark: span('?', { color: 'warning', bold: true }), title: { bold: true } },
  in_progress: { mark: span('◐', { color: 'warning' }), title: {} },
  open: { mark: span('○', subtle), title: {} },
  done: { mark: span('✓', { color: 'good' }), title: subtle },
  failed: { mark: span('✗', { color: 'bad', bold: true }), title: subtle },
  canceled: { mark: span('–', subtle), title: subtle },
}

/** Characters of an id that are shown. They name the task to `pipe task show`. */
const idLength = 6
/** Columns of the agent and of the time, and the width from which there is room for the agent. */
const agentWidth = 10
const timeWidth = 9
const agentFrom = 60
/** Characters of a title or a text that are drawn at most. */
const readLength = 400

export interface RowOptions {
  readonly columns: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly isFocused: boolean
}

/** Draws a task in one row: status, id, title, agent, and the time since its last change. */
export function drawTaskRow(task: TaskView, { columns, now, isFocused }: RowOptions): Line {
  const { mark, title } = looks[task.status]
  const agent = columns < agentFrom ? '' : nameOf(task.agentId).slice(0, agentWidth).padEnd(agentWidth)
  const right = `${agent === '' ? '' : `  ${agent}`}  ${timeOf(task, now).padStart(timeWidth)}`
  const room = Math.max(0, columns - right.length)
  const focus = isFocused ? span('❯ ', { color: 'accent', bold: true }) : span('  ')
  const text = oneLine(printable(task.title), readLength)
  const style = isFocused ? { bold: true } : title
  const left = cut(
    [focus, mark, span(` ${task.taskId.slice(0, idLength)} `, subtle), span(text, style)],
    room,
  )
  return [...left, span(' '.repeat(Math.max(0, room - columnsOfLine(left))) + right, subtle)]
}

/** Names an agent by its actor id. */
function nameOf(actor: string): string {
  return printable(actor).replace(/^agent_/, '')
}

function timeOf({ status, updatedAt }: TaskView, now: number): string {
  const ms = now - Date.parse(updatedAt)
  const isShort = status === 'in_progress' && ms >= 0 && ms < 3_600_000
  return isShort ? formatElapsed(ms) : formatAge(updatedAt, now)
}

/** Returns the text that tells most about a task beside its title: its result, or what was asked for. */
export function previewOf({ title, intent, summary, reason }: TaskView): string {
  const told = summary ?? reason ?? (intent === title ? '' : intent)
  return oneLine(printable(told), readLength)
}

/** Lists the keys that act on a task. */
export function taskOffers(task: TaskView, { verbs, page }: TaskList): readonly Offer[] {
  const { status } = task
  const named = `"${oneLine(printable(task.title), 40)}"`
  const can = (verb: Verb, when: boolean, offer: Omit<Offer, 'verb'>): readonly Offer[] =>
    when && verbs.has(verb) ? [{ verb, ...offer }] : []
  const asks = can('answer', status === 'awaiting_user', { keys: ['enter'], hint: 'Enter answers' })
  return [
    ...asks,
    ...can('open', asks.length === 0 && page === undefined, { keys: ['enter'], hint: 'Enter shows it' }),
    ...can('diff', status === 'done' && page?.type !== 'diff', { keys: ['d'], hint: 'd diff' }),
    ...can('apply', status === 'done', {
      keys: ['a'],
      hint: 'a applies',
      confirm: `apply what ${named} changed to the files here?`,
    }),
    ...can('cancel', !isOver(task), { keys: ['c'], hint: 'c cancels', confirm: `cancel ${named}?` }),
  ]
}
