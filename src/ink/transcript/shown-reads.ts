import { removalNote } from '../../characters/tag-characters.ts'
import { formatDuration } from '../../frontend/words/duration.ts'
import { noOutput } from '../../message.ts'
import type { ToolLook } from '../../tool.ts'
import { columnsOfLine, type Line, type Span, span } from '../rows/line.ts'
import { bodyIndent, drawRow, widestRow } from '../rows/row.ts'
import type { Entry } from '../state.ts'
import type { EndedCall } from './call.ts'

/** Calls that one row stands for at most. */
export const longestRun = 40

/** Characters of a target that are shown. */
const longestTarget = 200

/** Whether a call may fold into a row with others: it looked, and nothing about it needs attention. */
export function isLook({ look, isError, details }: EndedCall): boolean {
  return looksOnly(look) && !isError && removalNote(details) === undefined
}

/** Whether the calls of a tool only look, so that they fold into one row. */
function looksOnly({ display = 'lines' }: ToolLook): boolean {
  return ['file', 'matches', 'files'].includes(display)
}

/** Returns the entries of a run of calls that looked: one, or none for an empty run. */
export function runEntries(calls: readonly EndedCall[]): readonly Entry[] {
  const [first] = calls
  if (first === undefined) return []
  return calls.length === 1 ? [{ type: 'tool', ...first }] : [{ type: 'reads', calls }]
}

/** Folds the runs of calls that looked among entries. */
export function foldReads(entries: readonly Entry[]): readonly Entry[] {
  const folded: Entry[] = []
  let run: EndedCall[] = []
  const end = () => {
    folded.push(...runEntries(run))
    run = []
  }
  for (const entry of entries) {
    if (entry.type !== 'tool' || !isLook(entry)) {
      end()
      folded.push(entry)
      continue
    }
    const { type: _, ...call } = entry
    run.push(call)
    if (run.length >= longestRun) end()
  }
  end()
  return folded
}

/** Draws a run of calls that looked in one row: the files read, the patterns sought, the time of all. */
export function drawReads(calls: readonly EndedCall[], columns: number): Line {
  const names = [...new Set(calls.map(({ name }) => name))]
  const times = calls.flatMap(({ durationMs }) => durationMs ?? [])
  const total = times.reduce((sum, ms) => sum + ms, 0)
  const time = times.length === 0 ? undefined : formatDuration(total)
  const room = Math.min(columns, widestRow) - bodyIndent - (time === undefined ? 0 : 9)
  const forms = [
    targetsOf(names, calls, { isShort: false, most: calls.length }),
    ...[calls.length, 8, 5, 3, 2, 1].map((most) => targetsOf(names, calls, { isShort: true, most })),
    [span(`${firstTarget(calls)} +${calls.length - 1}`, { color: 'muted' })],
    [span(`${calls.length} calls`, { color: 'muted' })],
  ]
  const target = forms.find((form) => columnsOfLine(form) <= room) ?? forms.at(-1) ?? []
  return drawRow(
    {
      mark: span('●', { color: 'muted' }),
      name: span(names[0] ?? ''),
      target,
      ...(time !== undefined && { time }),
    },
    columns,
  )
}

interface TargetForm {
  /** Whether only the last part of a path is shown. */
  readonly isShort: boolean
  /** Targets of each tool that are shown. */
  readonly most: number
}

function targetsOf(names: readonly string[], calls: readonly EndedCall[], form: TargetForm): Line {
  return names.flatMap((name, i): Span[] => {
    const targets = countedTargets(
      calls.filter((call) => call.name === name).map((call) => targetOf(call, form)),
    )
    const left = targets.length - form.most
    const shown = targets.slice(0, form.most).join(', ') + (left > 0 ? ` +${left}` : '')
    const lead = i === 0 ? [] : [span(' · ', { color: 'faint' }), span(`${name} `)]
    return [...lead, span(shown, { color: 'muted' })]
  })
}

function firstTarget([first]: readonly EndedCall[]): string {
  return first === undefined ? '' : targetOf(first, { isShort: true, most: 1 })
}

/** Names each target once, with the number of its calls. */
function countedTargets(targets: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1)
  return [...counts].map(([target, count]) => (count === 1 ? target : `${target} ×${count}`))
}

function targetOf({ look, arguments: args, text }: EndedCall, { isShort }: TargetForm): string {
  const told = look.brief?.(args) ?? look.target?.(args) ?? ''
  const target = told.slice(0, longestTarget).replace(/\s+/g, ' ')
  if (look.display !== 'file') return `${target} ${countFound(text)}`
  return isShort ? target.slice(target.lastIndexOf('/', target.length - 2) + 1) : target
}

/** Counts what a search found, without the remarks for the model in brackets. */
export function countFound(text: string): number {
  if (text.startsWith(noOutput) || /^(no matches|no files found|$)/.test(text)) return 0
  return text.split('\n').filter((row) => row !== '' && row !== '--' && !/^\[.*\]$/.test(row)).length
}
