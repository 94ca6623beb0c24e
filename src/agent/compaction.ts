import { infoOf, type ModelChoice } from '../engine.ts'
import { PipeError, retryable } from '../error.ts'
import type { AgentFact } from '../event.ts'
import type { NewId } from '../id.ts'
import { contextLength, type Message, type TextBlock, textContent, type UserMessage } from '../message.ts'
import type { ModelInfo } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Tool } from '../tool.ts'
import type { Asking } from './ask.ts'
import { carriedEnvironment, carriedRequest } from './carried.ts'
import { pruneOutput } from './context.ts'
import { cutPoint } from './cut.ts'
import type { History } from './history.ts'
import { createMark } from './history-mark.ts'
import { type Summarising, summarise } from './summary.ts'
import {
  estimateContent,
  estimateFixed,
  estimateMessages,
  estimateScale,
  estimateText,
  maxScale,
  measuredTokens,
  scaled,
} from './tokens.ts'

/** Tokens of the newest messages that are kept unchanged. */
const keptTokens = 20_000
/** Minimum tokens of a window reserved for the reply. */
const minReserve = 16_384
/** Pruning is enough below this share of the room. Above it, compaction would soon be due again. */
const wellBelow = 3 / 4
/** Minimum share of the room that is worth a summary. */
const minSummaryShare = 1 / 8
/** Maximum share of a window for a summary request, as sizes are estimates. */
const maxAskedShare = 0.8

/** The reason to compact: a request above the limit, the user's command, or a request that the server refused as too large. */
export type Cause = 'size' | 'command' | 'overflow'

export interface Compacting {
  readonly history: History
  readonly choice: ModelChoice
  readonly systemPrompt: string
  readonly tools: readonly Tool[]
  readonly newId: NewId
  readonly asking: Asking
}

/** A request that must shrink. Sizes are in tokens. */
interface Excess {
  readonly cause: Cause
  readonly tokens: number
  /** Maximum size of the request. */
  readonly room: number
  /** Size of everything besides the messages. */
  readonly fixed: number
  /** Factor applied to estimates. */
  readonly scale: number
  readonly older: readonly Message[]
  readonly kept: readonly Message[]
}

/**
 * Shrinks the next request if needed and possible: appends a mark that prunes old tool output or, if that is not enough, replaces
 * all but the last 20,000 tokens with a summary. Returns true if it appended one. Throws the session's errors.
 */
export async function* makeRoom(
  compacting: Compacting,
  cause: Cause,
): AsyncGenerator<AgentFact, boolean, undefined> {
  const { history, choice, systemPrompt, tools } = compacting
  const { limit } = windowOf(infoOf(choice))
  if (cause === 'size' && isFarBelow(history, limit)) return false
  const fixed = estimateFixed(systemPrompt, tools)
  const scale = estimateScale(history.messages, fixed)
  const measured = cause === 'size' ? measuredTokens(history.messages, scale) : undefined
  const tokens = measured ?? scaled(fixed + estimateMessages(history.context), scale)
  if (cause === 'size' && tokens <= limit) return false
  const room = cause === 'size' ? limit : Math.min(limit, tokens / 2)
  const { context } = history
  const cut = cutPoint(context, Math.min(keptTokens, room / 2) / scale)
  const [older, kept] = [context.slice(0, cut), context.slice(cut)]
  const mark = yield* chooseMark({ cause, tokens, room, fixed, scale, older, kept }, compacting)
  if (mark === undefined) return false
  await history.append(mark)
  const tokensAfter = scaled(fixed + estimateMessages(history.context), scale)
  yield { type: 'compaction', summary: summaryOf(mark), tokensBefore: tokens, tokensAfter }
  return true
}

/** Whether the limit is far off even if the estimates are wrong. Uses the server's last count and the messages after it. */
function isFarBelow({ messages }: History, limit: number): boolean {
  return limit === Number.POSITIVE_INFINITY || (measuredTokens(messages, maxScale) ?? limit + 1) <= limit
}

/** Returns the error of a request that cannot shrink further, with advice for the user. */
export function explainOverflow(error: PipeError): PipeError {
  return new PipeError(
    'context_overflow',
    `${error.message}; no more of it can be summarised: shorten the message or its attachments, or choose a model with a larger context window`,
    { cause: error, details: error.details },
  )
}

/** Returns the mark that makes room and loses the least; `undefined` if none does. */
async function* chooseMark(
  excess: Excess,
  compacting: Compacting,
): AsyncGenerator<AgentFact, UserMessage | undefined, undefined> {
  const { cause, tokens, room, scale, older, kept } = excess
  const pruned = tokens - scaled(savedByPruning(older), scale)
  if (cause !== 'command' && pruned <= room * wellBelow) return pruningMark(older, compacting)
  if (isWorthASummary(excess)) {
    const { text, error } = yield* summarise(older, summarising(excess, compacting))
    if (compacting.asking.signal.aborted) return undefined
    // A model that rambles can write a summary longer than the original.
    if (text !== '' && scaled(estimateText(text), scale) <= room / 2)
      return summaryMark(`${summaryHeading}\n\n${text}`, excess, compacting)
    // After a temporary failure, keeps everything that still fits and tries again at the next request.
    if (cause === 'command' || (cause === 'size' && error !== undefined && isTemporary(error)))
      return undefined
    return pruned <= room ? pruningMark(older, compacting) : summaryMark(noSummary, excess, compacting)
  }
  const all = [...older, ...kept]
  return cause === 'overflow' && savedByPruning(all) > 0 ? pruningMark(all, compacting) : undefined
}

const summaryHeading = '[The conversation before this, as a summary]'
const noSummary =
  '[The conversation before this is left out to make room, without a summary: look again at what you need to know]'
const pruningNote = '[Older output of tools is left out to make room]'

/** Returns the tokens for request and reply together, and the limit of the request. Both are infinite if unknown. */
function windowOf(info: ModelInfo | undefined): { readonly size: number; readonly limit: number } {
  const size = info?.contextWindow ?? Number.POSITIVE_INFINITY
  if (size === Number.POSITIVE_INFINITY) return { size, limit: size }
  const reserve = Math.min(Math.max(minReserve, Math.ceil(size / 10)), Math.floor(size / 2))
  return { size, limit: size - reserve }
}

function savedByPruning(messages: readonly Message[]): number {
  return estimateMessages(messages) - estimateMessages(messages.map(pruneOutput))
}

function isWorthASummary({ cause, room, scale, older }: Excess): boolean {
  if (!older.some(({ type }) => type === 'assistant')) return false
  return cause === 'command' || scaled(estimateMessages(older), scale) >= room * minSummaryShare
}

function isTemporary({ code }: PipeError): boolean {
  return retryable[code] || code === 'auth'
}

function summarising({ cause, tokens, scale }: Excess, { choice, newId, asking }: Compacting): Summarising {
  const info = infoOf(choice)
  const { size, limit } = windowOf(info)
  const { contextWindow, maxOutput = size } = info ?? {}
  const maxTokens = contextWindow && Math.min(Math.floor((size - limit) / 2), maxOutput)
  const room = Math.min(maxAskedShare * (size - (maxTokens ?? 0)), cause === 'overflow' ? tokens / 2 : tokens)
  return { ...asking, choice, newId, room: room / scale, maxTokens }
}

/** Creates a mark that replaces the older messages. After an overflow it also prunes the kept outputs if they are too large. */
function summaryMark(
  text: string,
  { cause, room, fixed, scale, older, kept }: Excess,
  { newId, asking }: Compacting,
): UserMessage {
  const environment = carriedEnvironment(older, room)
  const content = [...environment, textBlock(text), ...carriedRequest(older, kept, room)]
  const size = scaled(fixed + estimateContent(content) + estimateMessages(kept), scale)
  const marked = omitUndefined({
    compacted_through: older.at(-1)?.id,
    pruned_through: cause === 'overflow' && size > room ? kept.at(-1)?.id : undefined,
  })
  const context = String(environment.length)
  return createMark(content, { ...marked, context }, { newId, clock: asking.clock })
}

/** Creates a mark that replaces the outputs in these messages with notes. */
function pruningMark(messages: readonly Message[], { newId, asking }: Compacting): UserMessage {
  const marked = omitUndefined({ pruned_through: messages.at(-1)?.id })
  return createMark([textBlock(pruningNote)], marked, { newId, clock: asking.clock })
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}

/** Returns the summary or note of a mark, without the environment and request it carries. */
function summaryOf(mark: UserMessage): string {
  const at = contextLength(mark)
  return textContent({ content: mark.content.slice(at, at + 1) })
}
