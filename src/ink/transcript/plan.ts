import { isJsonObject, type JsonValue } from '../../json-value.ts'
import { columnsOfLine, cut, type Line, type Style, span, wrap } from '../rows/line.ts'
import { indent, widestRow, withRight } from '../rows/row.ts'

/** An item of the model's list of what is to be done. */
export interface PlanItem {
  readonly text: string
  readonly status: 'done' | 'in_progress' | 'pending'
}

/** The model's list, and whether the transcript has yet to show it as it is now. */
export interface Plan {
  readonly items: readonly PlanItem[]
  readonly isNews: boolean
}

interface Look {
  readonly mark: string
  readonly style: Style
  readonly text: Style
}

const looks: Readonly<Record<PlanItem['status'], Look>> = {
  done: { mark: '✓', style: { color: 'good' }, text: { color: 'muted' } },
  in_progress: { mark: '▸', style: { color: 'accent', bold: true }, text: { bold: true } },
  pending: { mark: '○', style: { color: 'faint' }, text: { color: 'muted' } },
}

/** Characters of an item that are drawn. */
const longestItem = 400

/** Reads the items of a list from the details of its call. Skips what is not one. */
export function itemsOf(details: JsonValue | undefined): readonly PlanItem[] {
  const items = isJsonObject(details) ? details['todo'] : undefined
  if (!Array.isArray(items)) return []
  return items.flatMap((item: JsonValue): PlanItem[] => {
    if (!isJsonObject(item)) return []
    const { status } = item
    const text = String(item['text']).slice(0, longestItem).replace(/\s+/g, ' ').trim()
    return [{ text, status: status === 'done' || status === 'in_progress' ? status : 'pending' }]
  })
}

/** Draws the items in one row if all of them fit, else below each other. */
export function drawItems(items: readonly PlanItem[], width: number): Line[] {
  const inOne = row(items.map(drawItem))
  if (items.length > 0 && columnsOfLine(inOne) <= Math.min(width, widestRow)) return [inOne]
  return items.flatMap(({ text, status }) => {
    const { mark, style, text: look } = looks[status]
    const margin = ' '.repeat(indent)
    return wrap([span(margin), span(`${mark} `, style), span(text, look)], width, indent + 2)
  })
}

/** Draws the list in one row that ends with the number of items done: as many items as fit around the current one. */
export function drawPlanRow(items: readonly PlanItem[], columns: number): Line {
  const width = Math.min(columns, widestRow)
  const done = items.filter(({ status }) => status === 'done').length
  const count: Line = [span(`${done}/${items.length}`, { color: 'faint' })]
  const room = width - columnsOfLine(count) - 2
  const forms = formsOf(items)
  const form = forms.find((one) => columnsOfLine(one) <= room) ?? cut(forms.at(-1) ?? [], room)
  return withRight(form, [count, []], width)
}

/** Lists forms of the row, the fullest first: all items; those done only counted; the current one and the next; only the current one. */
function formsOf(items: readonly PlanItem[]): readonly Line[] {
  const done = items.filter(({ status }) => status === 'done')
  const rest = items.filter(({ status }) => status !== 'done')
  const counted = done.length === 0 ? [] : [short('done', done.length)]
  const [current, ...later] = rest.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (current === undefined) return [row(items.map(drawItem)), row(counted)]
  return [
    row(items.map(drawItem)),
    row([...counted, ...rest.map(drawItem)]),
    ...[3, 2, 1, 0].map((most) => {
      const left = later.length - most
      const more = left > 0 ? [short('pending', left)] : []
      return row([...counted, drawItem(current), ...later.slice(0, most).map(drawItem), ...more])
    }),
    row([drawItem(current)]),
  ]
}

/** The current item comes first. */
function rankOf({ status }: PlanItem): number {
  return status === 'in_progress' ? 0 : 1
}

function drawItem({ text, status }: PlanItem): Line {
  const { mark, style, text: look } = looks[status]
  return [span(`${mark} `, style), span(text, look)]
}

function short(status: PlanItem['status'], count: number): Line {
  const { mark, style } = looks[status]
  return [span(`${mark} `, style), span(String(count), { color: 'muted' })]
}

function row(parts: readonly Line[]): Line {
  return [span(' '.repeat(indent)), ...parts.flatMap((part, i) => (i === 0 ? part : [span('  '), ...part]))]
}
