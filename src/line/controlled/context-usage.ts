import type { ContextKind, ContextUse } from '../../history/context-use.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import { replyTokens } from '../../wire/messages-api.ts'

interface Category extends JsonObject {
  readonly id: string
  readonly name: string
  readonly tokens: number
  readonly color: string
  readonly kind: 'used' | 'free' | 'buffer'
}

/** Rows of the answer, and what counts into each. pipe does not size the tools of MCP servers apart from its own. */
const rows: readonly (readonly [id: string, name: string, color: string, kinds: readonly ContextKind[]])[] = [
  ['system_prompt', 'System prompt', 'gray', ['system_prompt']],
  ['system_tools', 'Tools', 'blue', ['tools']],
  ['memory_files', 'Environment, files and memories', 'yellow', ['environment', 'memories']],
  [
    'messages',
    'Messages',
    'magenta',
    ['summary', 'user', 'reply', 'thinking', 'tool_calls', 'tool_results', 'media'],
  ],
]

/** Squares of the grid, in rows of ten. */
const squares = 100

/** Answers `get_context_usage`: what fills the context window. All sizes are in tokens; 0 for a window that is not known. */
export function contextUsage(use: ContextUse, messages: readonly Message[]): JsonObject {
  const { model, tokens, window = 0, limit, autoCompact } = use
  const sizeOf = (...kinds: readonly ContextKind[]) =>
    use.parts.reduce((sum, part) => sum + (kinds.includes(part.kind) ? part.tokens : 0), 0)
  const used = rows.map(
    ([id, name, color, kinds]): Category => ({ id, name, tokens: sizeOf(...kinds), color, kind: 'used' }),
  )
  const categories = [...used.filter((row) => row.tokens > 0), ...leftOf(use)]
  const last = messages.findLast(({ type }) => type === 'assistant')
  const largest = use.parts.flatMap((part) => part.largest ?? [])
  return {
    categories,
    totalTokens: tokens,
    maxTokens: window,
    rawMaxTokens: window,
    percentage: shareOf(tokens, window),
    gridRows: gridOf(categories, window),
    model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    ...(limit !== undefined && { autoCompactThreshold: limit }),
    isAutoCompactEnabled: autoCompact,
    messageBreakdown: {
      toolCallTokens: sizeOf('tool_calls'),
      toolResultTokens: sizeOf('tool_results'),
      attachmentTokens: sizeOf('media'),
      assistantMessageTokens: sizeOf('reply', 'thinking'),
      userMessageTokens: sizeOf('user', 'summary'),
      redirectedContextTokens: 0,
      unattributedTokens: 0,
      toolCallsByType: largest.map(({ name, tokens: size }) => ({ name, callTokens: 0, resultTokens: size })),
      attachmentsByType: [],
    },
    apiUsage: last?.type === 'assistant' ? replyTokens(last.usage) : null,
  }
}

/** What is left of a window: free, and kept for the reply. */
function leftOf({ tokens, window, limit }: ContextUse): readonly Category[] {
  if (window === undefined || limit === undefined) return []
  const free = Math.max(0, limit - tokens)
  const kept = Math.max(0, window - Math.max(limit, tokens))
  return [
    { id: 'free_space', name: 'Free space', tokens: free, color: 'gray', kind: 'free' },
    { id: 'autocompact_buffer', name: 'Kept for the reply', tokens: kept, color: 'gray', kind: 'buffer' },
  ]
}

/** The window as squares, each of which belongs to the row that covers its middle. */
function gridOf(categories: readonly Category[], window: number): readonly (readonly JsonObject[])[] {
  if (window === 0) return []
  const all = Array.from({ length: squares }, (_, i) => {
    let end = 0
    const middle = ((i + 0.5) * window) / squares
    const row = categories.find(({ tokens }) => {
      end += tokens
      return middle < end
    })
    return squareOf(row ?? categories.at(-1), window)
  })
  return Array.from({ length: squares / 10 }, (_, i) => all.slice(10 * i, 10 * i + 10))
}

function squareOf(row: Category | undefined, window: number): JsonObject {
  return {
    color: row?.color ?? 'gray',
    isFilled: row?.kind === 'used',
    categoryName: row?.name ?? '',
    tokens: row?.tokens ?? 0,
    percentage: shareOf(row?.tokens ?? 0, window),
    squareFullness: row?.kind === 'used' ? 1 : 0,
  }
}

/** A share of the window in percent, rounded. */
function shareOf(tokens: number, window: number): number {
  return window === 0 ? 0 : Math.round((100 * tokens) / window)
}
