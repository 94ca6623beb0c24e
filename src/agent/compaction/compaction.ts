import { infoOf, type ModelChoice } from '../../engine.ts'
import { isPipeError, PipeError, retryable } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { contextLength, type Message, type TextBlock, textContent, type UserMessage } from '../../message.ts'
import type { ModelInfo } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Shortening } from '../../turn-hooks.ts'
import type { Agent } from '../agent.ts'
import type { AskOptions } from '../request/request-reply.ts'
import { carriedEnvironment, carriedRequest } from '../turn/carried.ts'
import { sendBack } from '../turn/hook-words.ts'
import type { History } from '../turn/turn-history.ts'
import { cutPoint } from './compaction-cut.ts'
import { pruneOutput } from './context.ts'
import { createMark } from './history-mark.ts'
import { type Summarising, type Summary, type SummaryLimits, summarise } from './summary.ts'
import {
  estimateContent,
  estimateFixed,
  estimateMessages,
  estimateScale,
  estimateText,
  maxScale,
  measuredTokens,
  scaled,
} from './token-estimate.ts'

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
  readonly agent: Pick<Agent, 'history' | 'systemPrompt' | 'executor' | 'newId' | 'routing' | 'hooks'>
  /** The model of the next request. */
  readonly choice: ModelChoice
  readonly asking: AskOptions
  /** Names what a summary must keep, in the user's words. */
  readonly keep?: string | undefined
}

/** Whether the next request has become smaller, and why a command had no effect. */
export interface Room {
  readonly isSmaller: boolean
  readonly failure?: PipeError | undefined
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
 * all but the last 20,000 tokens with a summary. Throws the session's errors.
 */
export async function* makeRoom(
  compacting: Compacting,
  cause: Cause,
): AsyncGenerator<AgentFact, Room, undefined> {
  const { history, systemPrompt, executor } = compacting.agent
  const { limit } = windowOf(infoOf(compacting.choice))
  if (cause === 'size' && isFarBelow(history, limit)) return { isSmaller: false }
  const fixed = estimateFixed(systemPrompt, executor.tools())
  const scale = estimateScale(history.messages, fixed)
  const measured = cause === 'size' ? measuredTokens(history.messages, scale) : undefined
  const tokens = measured ?? scaled(fixed + estimateMessages(history.context), scale)
  if (cause === 'size' && tokens <= limit) return { isSmaller: false }
  const room = cause === 'size' ? limit : Math.min(limit, tokens / 2)
  const { context } = history
  const usual = cutPoint(context, Math.min(keptTokens, room / 2) / scale)
  // A command shortens a short conversation too.
  const cut = cause === 'command' && !hasReply(context.slice(0, usual)) ? cutPoint(context, 0) : usual
  const [older, kept] = [context.slice(0, cut), context.slice(cut)]
  const refusal = await refusalOf(compacting, cause)
  if (refusal !== undefined) return { isSmaller: false, failure: refusal }
  const mark = yield* chooseMark({ cause, tokens, room, fixed, scale, older, kept }, compacting)
  if (mark === undefined || isPipeError(mark)) return { isSmaller: false, failure: mark }
  await history.append(mark)
  const tokensAfter = scaled(fixed + estimateMessages(history.context), scale)
  const by = mark.metadata?.['summarised_by']
  const sizes = { tokensBefore: tokens, tokensAfter }
  const [trigger, summary] = [triggerOf(cause), summaryOf(mark)]
  yield { type: 'compaction', trigger, summary, ...omitUndefined({ by }), ...sizes }
  const { signal } = compacting.asking
  const said = await compacting.agent.hooks?.compacted({ trigger, summary }, { signal })
  if (said !== undefined) yield* sendBack({ ...compacting.agent, clock: compacting.asking.clock }, said)
  return { isSmaller: true }
}

/** Asks hooks whether the history may be shortened. */
async function refusalOf(
  { agent: { hooks }, asking, keep = '' }: Compacting,
  cause: Cause,
): Promise<PipeError | undefined> {
  const reason = await hooks?.compacting({ trigger: triggerOf(cause), keep }, { signal: asking.signal })
  return reason === undefined
    ? undefined
    : new PipeError('permission', `a hook refuses to summarise the history: ${reason}`, {
        details: { reason },
      })
}

function triggerOf(cause: Cause): Shortening['trigger'] {
  return cause === 'command' ? 'manual' : 'auto'
}

/** Whether the limit is far off even if the estimates are wrong. Uses the server's last count and the messages after it. */
function isFarBelow({ messages }: History, limit: number): boolean {
  return limit === Number.POSITIVE_INFINITY || (measuredTokens(messages, maxScale) ?? limit + 1) <= limit
}

/** Returns the error of a conversation that is too long and is not made smaller, with advice for the user. */
export function explainOverflow(error: PipeError, { autoCompact }: Pick<Agent, 'autoCompact'>): PipeError {
  const advice = autoCompact
    ? 'no more of it can be summarised: shorten the message or its attachments, or choose a model with a larger context window'
    : 'compaction.auto is off: summarise the conversation with /compact, or choose a model with a larger context window'
  return new PipeError(error.code, `${error.message}; ${advice}`, {
    cause: error,
    details: error.details,
  })
}

/** Returns the mark that makes room and loses the least; `undefined` if none does, or the reason if that fails a command. */
async function* chooseMark(
  excess: Excess,
  compacting: Compacting,
): AsyncGenerator<AgentFact, UserMessage | PipeError | undefined, undefined> {
  const { cause, tokens, room, scale, older, kept } = excess
  const pruned = tokens - scaled(savedByPruning(older), scale)
  if (cause !== 'command' && pruned <= room * wellBelow) return pruningMark(older, compacting)
  if (isWorthASummary(excess)) {
    const summary = yield* summarise(older, summarising(excess, compacting))
    const { text, error } = summary
    if (compacting.asking.signal.aborted) return undefined
    // A model that rambles can write a summary longer than the original.
    if (text !== '' && scaled(estimateText(text), scale) <= room / 2)
      return summaryMark({ ...summary, text: `${summaryHeading}\n\n${text}` }, excess, compacting)
    if (cause === 'command') return withoutSummary(summary)
    // After a temporary failure, keeps everything that still fits and tries again at the next request.
    if (cause === 'size' && error !== undefined && isTemporary(error)) return undefined
    return pruned <= room
      ? pruningMark(older, compacting)
      : summaryMark({ text: noSummary }, excess, compacting)
  }
  if (cause === 'command')
    return new PipeError('input', 'nothing to summarise yet: the newest messages are kept as they are')
  const all = [...older, ...kept]
  return cause === 'overflow' && savedByPruning(all) > 0 ? pruningMark(all, compacting) : undefined
}

const summaryHeading = '[The conversation before this, as a summary]'
const noSummary =
  '[The conversation before this is left out to make room, without a summary: look again at what you need to know]'
const pruningNote = '[Older output of tools is left out to make room]'

/** Returns the reason why a command to compact changed nothing. */
function withoutSummary({ text, error }: Summary): PipeError {
  if (error !== undefined)
    return new PipeError(error.code, `the history was not summarised: ${error.message}`, {
      cause: error,
      details: error.details,
    })
  return text === ''
    ? new PipeError('refused', 'the history was not summarised: the model gave no summary')
    : new PipeError('protocol', 'the history was not summarised: the summary was too long')
}

/** Returns the tokens for request and reply together, and the limit of the request. Both are infinite if unknown. */
export function windowOf(info: ModelInfo | undefined): { readonly size: number; readonly limit: number } {
  const size = info?.contextWindow ?? Number.POSITIVE_INFINITY
  if (size === Number.POSITIVE_INFINITY) return { size, limit: size }
  const reserve = Math.min(Math.max(minReserve, Math.ceil(size / 10)), Math.floor(size / 2))
  return { size, limit: size - reserve }
}

function savedByPruning(messages: readonly Message[]): number {
  return estimateMessages(messages) - estimateMessages(messages.map(pruneOutput))
}

function isWorthASummary({ cause, room, scale, older }: Excess): boolean {
  if (!hasReply(older)) return false
  return cause === 'command' || scaled(estimateMessages(older), scale) >= room * minSummaryShare
}

function hasReply(messages: readonly Message[]): boolean {
  return messages.some(({ type }) => type === 'assistant')
}

function isTemporary({ code }: PipeError): boolean {
  return retryable[code] || code === 'auth'
}

function summarising(excess: Excess, { agent, choice, asking, keep }: Compacting): Summarising {
  const limitsFor = (asked: ModelChoice) => summaryLimits(excess, infoOf(asked))
  return { ...asking, choice, preferred: agent.routing.summary ?? [], newId: agent.newId, limitsFor, keep }
}

/** Returns the limits of a request for a summary by the model with these facts. */
function summaryLimits({ cause, tokens, scale }: Excess, info: ModelInfo | undefined): SummaryLimits {
  const { size, limit } = windowOf(info)
  const { contextWindow, maxOutput = size } = info ?? {}
  const maxTokens = contextWindow && Math.min(Math.floor((size - limit) / 2), maxOutput)
  const room = Math.min(maxAskedShare * (size - (maxTokens ?? 0)), cause === 'overflow' ? tokens / 2 : tokens)
  return { room: room / scale, maxTokens }
}

/** Creates a mark that replaces the older messages. After an overflow it also prunes the kept outputs if they are too large. */
function summaryMark(
  { text, by }: Pick<Summary, 'text' | 'by'>,
  { cause, room, fixed, scale, older, kept }: Excess,
  { agent, asking, keep }: Compacting,
): UserMessage {
  const environment = carriedEnvironment(older, room)
  const content = [...environment, textBlock(text), ...carriedRequest(older, kept, room)]
  const size = scaled(fixed + estimateContent(content) + estimateMessages(kept), scale)
  const marked = omitUndefined({
    compacted_through: older.at(-1)?.id,
    pruned_through: cause === 'overflow' && size > room ? kept.at(-1)?.id : undefined,
    keep,
    summarised_by: by,
  })
  const context = String(environment.length)
  return createMark(content, { ...marked, context }, { newId: agent.newId, clock: asking.clock })
}

/** Creates a mark that replaces the outputs in these messages with notes. */
function pruningMark(messages: readonly Message[], { agent, asking }: Compacting): UserMessage {
  const marked = omitUndefined({ pruned_through: messages.at(-1)?.id })
  return createMark([textBlock(pruningNote)], marked, { newId: agent.newId, clock: asking.clock })
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}

/** Returns the summary or note of a mark, without the environment and request it carries. */
function summaryOf(mark: UserMessage): string {
  const at = contextLength(mark)
  return textContent({ content: mark.content.slice(at, at + 1) })
}
