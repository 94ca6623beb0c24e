import { contextLabels } from '../../frontend/reports/context-report.ts'
import { formatExactly } from '../../frontend/words/amount.ts'
import type { ContextKind, ContextUse } from '../../history/context-use.ts'
import { columnsOf } from '../rows/columns.ts'
import { cut, type Line, line, type Span, span, wrap } from '../rows/line.ts'
import type { Color } from '../rows/theme.ts'
import { RowSource } from './row-source.ts'
import { openView, type View } from './view.ts'

const colors: Readonly<Record<ContextKind, Color>> = {
  system_prompt: 'accent',
  tools: 'list',
  environment: 'heading',
  memories: 'heading',
  summary: 'warning',
  user: 'good',
  reply: 'code',
  thinking: 'muted',
  tool_calls: 'warning',
  tool_results: 'bad',
  media: 'number',
}

const [used, free, kept] = ['█', '░', '▒']
const longestBar = 100
const widestLabel = 28

interface Share {
  readonly mark: Span
  readonly label: string
  readonly tokens: number
  /** Part of the share above it. */
  readonly isDetail?: boolean
}

/** Shows what fills the context window: a bar, and the same as a table. */
export function contextView(use: ContextUse): View {
  const { model, tokens, window, isCounted } = use
  const size = `${isCounted ? '' : 'about '}${formatExactly(tokens)}`
  const facts =
    window === undefined
      ? `${size} tokens`
      : `${size} of ${formatExactly(window)} tokens · ${percent(tokens, window)}`
  return openView({
    type: 'context',
    title: `Context of ${model}`,
    source: new RowSource((width) => ({ rows: draw(use, facts, width) })),
  })
}

function draw(use: ContextUse, facts: string, width: number): readonly Line[] {
  const { window, limit, autoCompact } = use
  const shares = sharesOf(use)
  const label = Math.min(widestLabel, Math.max(12, width - 24))
  const notes = [
    'Sizes by kind are estimates.',
    window === undefined || limit === undefined
      ? 'The size of the window is not known.'
      : autoCompact
        ? `The history is summarised above ${formatExactly(limit)} tokens; /compact does it now.`
        : 'compaction.auto is off; /compact summarises the history.',
  ]
  return [
    cut(line(facts, { bold: true }), width),
    [],
    ...(window === undefined ? [] : [bar(shares, window, Math.min(width, longestBar)), []]),
    ...shares.map((share) => cut(drawShare(share, label, window), width)),
    [],
    ...notes.flatMap((text) => wrap(line(text, { color: 'muted' }), width)),
  ]
}

function sharesOf({ parts, tokens, window, limit }: ContextUse): readonly Share[] {
  const filled = parts.flatMap(({ kind, tokens: size, count: number, largest = [] }): readonly Share[] => [
    {
      mark: span(used, { color: colors[kind] }),
      label: number === undefined ? contextLabels[kind] : `${contextLabels[kind]} (${number})`,
      tokens: size,
    },
    ...largest.map(
      ({ name, tokens: part }): Share => ({
        mark: span(' '),
        label: `  ${name}`,
        tokens: part,
        isDetail: true,
      }),
    ),
  ])
  if (window === undefined || limit === undefined) return filled
  return [
    ...filled,
    { mark: span(free, { color: 'faint' }), label: 'free', tokens: Math.max(0, limit - tokens) },
    {
      mark: span(kept, { color: 'muted' }),
      label: 'kept for the reply',
      tokens: Math.max(0, window - Math.max(limit, tokens)),
    },
  ]
}

function drawShare(
  { mark, label, tokens, isDetail }: Share,
  columns: number,
  window: number | undefined,
): Line {
  const style = isDetail === true ? ({ color: 'muted' } as const) : {}
  const short = cut(line(label, style), columns)
  const blank = ' '.repeat(Math.max(0, columns - columnsOf(label)))
  const share = window === undefined ? '' : percent(tokens, window).padStart(8)
  return [mark, span(' '), ...short, span(`${blank}${formatExactly(tokens).padStart(11)}${share}`, style)]
}

/** Draws shares as stretches of a bar. Every stretch ends where the sum of its sizes does. */
function bar(shares: readonly Share[], window: number, columns: number): Line {
  let sum = 0
  let drawn = 0
  return shares.flatMap(({ mark, tokens, isDetail }) => {
    if (isDetail === true) return []
    sum += tokens
    const end = Math.min(columns, Math.round((sum / window) * columns))
    const stretch = Math.max(0, end - drawn)
    drawn += stretch
    return stretch === 0 ? [] : [{ ...mark, text: mark.text.repeat(stretch) }]
  })
}

function percent(tokens: number, window: number): string {
  const share = (100 * tokens) / window
  if (share > 0 && share < 0.05) return '< 0.1 %'
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)} %`
}
