import { counted } from '../../../frontend/words/amount.ts'
import { formatDuration } from '../../../frontend/words/duration.ts'
import { parseJson } from '../../../json-value.ts'
import { describeCall } from '../../../line/tool-line.ts'
import { contextLength, textContent } from '../../../message.ts'
import { roundUsd } from '../../../model.ts'
import { type Difference, type RoundText, roundsOf } from '../../../replay/comparison.ts'
import type { RecordedTurn } from '../../../replay/recorded-turns.ts'
import { printable } from '../../../terminal/printable.ts'
import { visible } from '../../../terminal/visible.ts'
import type { FilesAtEnd } from './live-folder.ts'
import type { ComparedSide, Report } from './replay-report.ts'

/** Columns of the report, of its labels, and of each side. */
const width = 80
const labelWidth = 8
const sideWidth = (width - labelWidth - 3) / 2

/** Characters of the diff that are shown. */
const mostDiff = 64 * 1024

/** Formats a report for a terminal: the sums and the conversation side by side, then the files. */
export function reportText(report: Report): string {
  const { source, sessionId, recorded, replayed, calls, notes } = report
  const lines = [
    `replay of ${source}${sessionId === undefined ? '' : `, saved as ${sessionId}`}`,
    '',
    row('', 'recorded', 'replayed'),
    ...sums(recorded, replayed),
    row('', '', `${counted(calls.recorded, 'call')} from the record, ${calls.live} run`),
    '',
    firstText(report),
    ...recorded.turns.flatMap((turn, i) => turnText(turn, replayed.turns[i], i + 1)),
    '',
    ...(report.files === undefined ? [] : [filesText(report.files)]),
    ...notes.map((note) => `note: ${visible(note)}`),
  ]
  return printable(`${lines.join('\n').trimEnd()}\n`)
}

function sums(recorded: ComparedSide, replayed: ComparedSide): readonly string[] {
  const both = (label: string, text: (side: ComparedSide) => string) =>
    row(label, text(recorded), text(replayed))
  return [
    both('model', ({ models }) => models.join(', ')),
    both('rounds', ({ rounds }) => String(rounds)),
    both('calls', ({ calls }) => String(calls)),
    both('tokens', ({ usage }) => `${usage.inputTokens} in, ${usage.outputTokens} out`),
    both('cost', ({ costUsd }) => (costUsd === undefined ? 'unknown' : `$${roundUsd(costUsd)}`)),
    both('time', ({ durationMs }) => formatDuration(durationMs)),
  ]
}

const kinds: Readonly<Record<Difference['type'], string>> = {
  text: 'a different text',
  call: 'a different call',
  result: 'a different result of the same call',
  end: 'a round on one side only',
}

function firstText({ first, firstAction }: Report): string {
  if (first === undefined) return 'Nothing differs.'
  const place = ({ turn, round, type }: Difference) => `turn ${turn}, round ${round}: ${kinds[type]}`
  const action = firstAction === undefined ? '' : `\nFirst other action:  ${place(firstAction)}`
  return `First difference:  ${place(first)}${action}`
}

function turnText(
  recorded: RecordedTurn,
  replayed: RecordedTurn | undefined,
  number: number,
): readonly string[] {
  const { message } = recorded
  const said = textContent({ content: message.content.slice(contextLength(message)) })
  const [before, after] = [roundsOf(recorded), replayed === undefined ? [] : roundsOf(replayed)]
  const count = Math.max(before.length, after.length)
  return [
    '',
    clipped(`turn ${number}  > ${said}`, width),
    ...Array.from({ length: count }, (_, i) => roundText(before[i], after[i], i + 1)).flat(),
  ]
}

function roundText(a: RoundText | undefined, b: RoundText | undefined, number: number): readonly string[] {
  const [left, right] = [linesOf(a), linesOf(b)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    row(i === 0 ? `round ${number}` : '', left[i] ?? '', right[i] ?? '', left[i] === right[i] ? '│' : '≠'),
  )
}

/** The text of a round in one line, and a line for each call. */
function linesOf(round: RoundText | undefined): readonly string[] {
  if (round === undefined) return []
  const calls = round.calls.map(
    ({ name, arguments: args }) => `• ${describeCall(name, parseJson(args) ?? args)}`,
  )
  return round.text.trim() === '' ? calls : [round.text, ...calls]
}

/** Puts two texts beside each other, with this mark between them. */
function row(label: string, left: string, right: string, mark = '│'): string {
  const first = clipped(left, sideWidth).padEnd(sideWidth)
  return `${label.padEnd(labelWidth)}${first} ${mark} ${clipped(right, sideWidth)}`.trimEnd()
}

function clipped(text: string, most: number): string {
  const line = visible(text.slice(0, 1_000).replace(/\s+/g, ' ').trim())
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

function filesText(files: FilesAtEnd): string {
  if (files.type === 'same') return 'The files end as recorded.'
  if (files.type === 'unknown') return `The files at the end were not compared: ${visible(files.reason)}`
  const against =
    files.from === 'recorded_end'
      ? 'The files at the end, from the recorded ones (-) to the replayed ones (+):'
      : 'The recorded files at the end are not known. What the replay changed:'
  if (files.diff === '') return `${against} nothing`
  const isCut = files.diff.length > mostDiff
  return `${against}\n${files.diff.slice(0, mostDiff)}${isCut ? '\n[cut; --json has all of it]' : ''}`
}
