import type { ContextKind, ContextUse } from '../../history/context-use.ts'
import { formatExactly } from '../words/amount.ts'

/** The kinds in words. */
export const contextLabels: Readonly<Record<ContextKind, string>> = {
  system_prompt: 'system prompt',
  tools: 'tools',
  environment: 'environment, files',
  memories: 'memories',
  summary: 'summary',
  user: 'your messages',
  reply: 'replies',
  thinking: 'thinking',
  tool_calls: 'tool calls',
  tool_results: 'tool results',
  media: 'images, documents',
}

/** A row of the table: a mark of the bar, or blanks for a detail, with its label. */
type Row = readonly [mark: string, label: string, tokens: number]

/** Marks of the bar. */
const [used, free, reserved] = ['█', '░', '▒']

const labelColumns = 20
const maxBar = 100

/** Formats what fills the context window as a bar and a table, for a window of at least 40 columns. */
export function contextReport(use: ContextUse, columns: number): string {
  const { model, tokens, isCounted, window, limit, autoCompact } = use
  const about = isCounted ? '' : 'about '
  const rows = usedRows(use).map((row) => rowText(row, window))
  if (window === undefined || limit === undefined)
    return [
      model,
      `${about}${formatExactly(tokens)} tokens; the window is unknown`,
      ...rows,
      'sizes by kind are estimates',
    ].join('\n')
  const left: readonly Row[] = [
    [free, 'free', Math.max(0, limit - tokens)],
    [reserved, 'kept for the reply', Math.max(0, window - Math.max(limit, tokens))],
  ]
  return [
    model,
    `${about}${formatExactly(tokens)} of ${formatExactly(window)} tokens (${Math.round((100 * tokens) / window)} %)`,
    bar([[used, '', tokens], ...left], window, Math.min(columns, maxBar)),
    ...rows,
    ...left.filter(([, , size]) => size > 0).map((row) => rowText(row, window)),
    'sizes by kind are estimates',
    autoCompact ? `compacted above ${formatExactly(limit)} tokens` : 'compaction.auto is off; see /compact',
  ].join('\n')
}

function usedRows({ parts }: ContextUse): readonly Row[] {
  return parts.flatMap(({ kind, tokens, count: number, largest = [] }): readonly Row[] => {
    const label = number === undefined ? contextLabels[kind] : `${contextLabels[kind]} (${number})`
    return [[used, label, tokens], ...largest.map(({ name, tokens: size }): Row => ['  ', name, size])]
  })
}

function rowText([mark, label, tokens]: Row, window: number | undefined): string {
  const room = labelColumns - mark.length
  const short = label.length > room ? `${label.slice(0, room - 1)}…` : label.padEnd(room)
  const share = window === undefined ? '' : `${((100 * tokens) / window).toFixed(1)} %`.padStart(8)
  return `${mark} ${short}${formatExactly(tokens).padStart(10)}${share}`
}

/** Draws rows as stretches of a bar. Every stretch ends where the sum of its sizes does. */
function bar(rows: readonly Row[], window: number, columns: number): string {
  let sum = 0
  let drawn = ''
  for (const [mark, , size] of rows) {
    sum += size
    drawn = drawn.padEnd(Math.min(columns, Math.round((sum / window) * columns)), mark)
  }
  return drawn
}
