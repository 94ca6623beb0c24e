import { infoOf, type ModelChoice, modelName } from '../../engine.ts'
import {
  type ContextKind,
  type ContextPart,
  type ContextUse,
  contextKinds,
} from '../../history/context-use.ts'
import { findMemories } from '../../memory/memory-frame.ts'
import { type ContentBlock, contextLength, isMark, type Message } from '../../message.ts'
import type { Agent } from '../agent.ts'
import { windowOf } from './compaction.ts'
import {
  estimateContent,
  estimateFixed,
  estimateScale,
  estimateText,
  isCounted,
  measuredTokens,
  scaled,
} from './token-estimate.ts'

/** Number of tools whose results are listed. */
const listedTools = 3

/** Sizes the next request by kind, with the server's last count as far as it goes. */
export function contextUse(
  { history, systemPrompt, executor, autoCompact }: Agent,
  choice: ModelChoice,
): ContextUse {
  const { messages, context } = history
  const tools = executor.tools()
  const fixed = estimateFixed(systemPrompt, tools)
  const sizes = sizesOf(context)
  sizes.add('system_prompt', estimateText(systemPrompt))
  sizes.add('tools', fixed - estimateText(systemPrompt))
  const scale = estimateScale(messages, fixed)
  const tokens = measuredTokens(messages, scale) ?? scaled(sizes.total, scale)
  const { size, limit } = windowOf(infoOf(choice))
  return {
    model: modelName(choice),
    tokens,
    isCounted: isCounted(messages),
    parts: partsOf(sizes, tokens, { tools: tools.length, memories: sizes.memories }),
    ...(Number.isFinite(size) ? { window: size, limit } : {}),
    autoCompact,
  }
}

/** Estimated tokens, by kind, and of results also by tool. */
class Sizes {
  readonly kinds = new Map<ContextKind, number>()
  readonly results = new Map<string, number>()
  /** Number of memories. */
  memories = 0

  get total(): number {
    return [...this.kinds.values()].reduce((sum, tokens) => sum + tokens, 0)
  }

  add(kind: ContextKind, tokens: number): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + tokens)
  }
}

function sizesOf(context: readonly Message[]): Sizes {
  const sizes = new Sizes()
  for (const message of context) {
    for (const [at, block] of message.content.entries()) {
      const kind = kindOf(block, message, at)
      const tokens = estimateContent([block])
      const kept = kind === 'environment' && block.type === 'text' ? findMemories(block.text) : undefined
      const keptTokens = kept === undefined ? 0 : estimateText(kept.text)
      sizes.add(kind, tokens - keptTokens)
      if (kept !== undefined) sizes.add('memories', keptTokens)
      sizes.memories += kept?.shown ?? 0
      if (kind !== 'tool_results' || message.type !== 'tool_result') continue
      sizes.results.set(message.toolName, (sizes.results.get(message.toolName) ?? 0) + tokens)
    }
  }
  return sizes
}

/** `at` is the position of the block in the message. */
function kindOf({ type }: ContentBlock, message: Message, at: number): ContextKind {
  if (type === 'image' || type === 'document') return 'media'
  if (type === 'thinking') return 'thinking'
  if (type === 'tool_call') return 'tool_calls'
  if (message.type === 'assistant') return 'reply'
  if (message.type === 'tool_result') return 'tool_results'
  const context = contextLength(message)
  if (at < context) return 'environment'
  return isMark(message) && at === context ? 'summary' : 'user'
}

/** Scales the estimates so that they add up to `tokens`. */
function partsOf(
  { kinds, results, total }: Sizes,
  tokens: number,
  counts: Readonly<Record<'tools' | 'memories', number>>,
): readonly ContextPart[] {
  const factor = total === 0 ? 0 : tokens / total
  let sum = 0
  return contextKinds.flatMap((kind): readonly ContextPart[] => {
    const size = kinds.get(kind) ?? 0
    if (size === 0) return []
    const before = Math.round(sum * factor)
    sum += size
    const part = { kind, tokens: Math.round(sum * factor) - before }
    if (kind === 'tools' || kind === 'memories') return [{ ...part, count: counts[kind] }]
    return [kind === 'tool_results' ? { ...part, largest: largestOf(results, factor) } : part]
  })
}

function largestOf(results: ReadonlyMap<string, number>, factor: number) {
  return [...results]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, listedTools)
    .map(([name, size]) => ({ name, tokens: Math.round(size * factor) }))
}
