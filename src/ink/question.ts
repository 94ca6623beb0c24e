import type { Interaction, InteractionOption } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { cut, type Line, line, lines, span, wrap } from './line.ts'
import type { Question, Size } from './state.ts'

/** Rows around what is asked about: the title, where one is in it, the status line, and the two that stay free. */
const frameRows = 5

/** What is asked about, the part of it that is shown, and whether its end is. */
export interface QuestionView {
  readonly body: readonly Line[]
  readonly height: number
  readonly offset: number
  readonly isEndShown: boolean
}

export function viewQuestion({ interaction, offset }: Question, { columns, rows }: Size): QuestionView {
  const { content } = interaction.display
  const body = content === undefined ? [] : drawValue(content, '  ').flatMap((one) => wrap(one, columns, 4))
  const height = Math.max(1, Math.min(body.length, rows - frameRows - (interaction.options?.length ?? 0) - 1))
  const last = Math.max(0, body.length - height)
  const start = Math.min(offset, last)
  return { body, height, offset: start, isEndShown: start >= last }
}

/** The option that Enter takes: the default, which is no, until the end of what is asked about was shown. */
export function enterOption(question: Question, size: Size): InteractionOption | undefined {
  const options = question.interaction.options ?? []
  const cautious = options.find(({ isDefault }) => isDefault === true)
  return viewQuestion(question, size).isEndShown ? options[0] : (cautious ?? options.at(-1))
}

/** The question, the whole of what it is about in a window that scrolls, and the keys that answer it. */
export function drawQuestion(question: Question, size: Size): Line[] {
  const { interaction } = question
  const { columns } = size
  const view = viewQuestion(question, size)
  const shown = view.body.slice(view.offset, view.offset + view.height)
  const below = view.body.length - view.offset - shown.length
  const { title, description } = interaction.display
  const head: Line = [
    span('? ', { color: 'yellow', bold: true }),
    span(title, { bold: true }),
    ...(description === undefined ? [] : [span(` ${description}`, { dim: true })]),
  ]
  const place = `  ↑↓ rows ${view.offset + 1}–${view.offset + shown.length} of ${view.body.length}`
  return [
    cut(head, columns),
    ...shown,
    ...(view.offset > 0 || below > 0 ? [cut(line(place, { color: 'yellow' }), columns)] : []),
    ...drawOptions(interaction, enterOption(question, size)).map((one) => cut(one, columns)),
  ]
}

function drawOptions({ options = [] }: Interaction, onEnter: InteractionOption | undefined): Line[] {
  const choices = options.map((option, i): Line => {
    const mark = option === onEnter ? span('❯ ', { color: 'cyan', bold: true }) : span('  ')
    const keys = [String(i + 1), letterOf(option)].filter((key) => key !== undefined).join(' ')
    return [mark, span(`${keys}  `, { bold: true }), span(option.label)]
  })
  return [...choices, [span('  '), span('w    ', { bold: true }), span('No, and say why')]]
}

const letters: Readonly<Record<string, string>> = { allow: 'y', allow_session: 'a', deny: 'n' }

/** The letter that chooses an option, beside its number. */
export function letterOf({ id }: InteractionOption): string | undefined {
  return letters[id]
}

/** All of a value, nothing cut: text as it is, everything else by its names. */
function drawValue(value: JsonValue, margin: string): Line[] {
  if (typeof value === 'string') return lines(value).map((one) => [span(margin), ...one])
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue, i) => drawField(String(i + 1), one, margin))
  }
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => drawField(name, one, margin))
  return [line(margin + JSON.stringify(value))]
}

function drawField(name: string, value: JsonValue, margin: string): Line[] {
  const label = span(`${margin}${name}: `, { dim: true })
  const isShort =
    typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object' || value === null
  if (isShort) return [[label, span(typeof value === 'string' ? value : JSON.stringify(value))]]
  return [[label], ...drawValue(value, `${margin}  `)]
}
