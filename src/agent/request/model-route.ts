import { type Candidate, infoOf, type ModelChoice, modelName, type Routing } from '../../engine.ts'
import { isPipeError, type PipeError, unreachable } from '../../error.ts'
import { byLeast } from '../../history/by-least.ts'
import { isPaged } from '../../media/media-support.ts'
import { type ModelInfo, overallPrice } from '../../model.ts'
import type { Request } from '../../provider.ts'
import { estimateFixed, estimateMessages } from '../compaction/token-estimate.ts'
import { safeReplyTokens } from '../limits/run-limits.ts'

/** Abilities that a request needs of its model. */
export interface Need {
  readonly images: boolean
  readonly documents: boolean
  readonly tools: boolean
  readonly thinking: boolean
  /** Estimated tokens of the request and its reply. */
  readonly tokens: number
}

/** The model that answers, and the reason if it is not the chosen one. */
export interface ModelRoute {
  readonly choice: ModelChoice
  readonly reason?: string
}

type Wants = Pick<Request, 'systemPrompt' | 'messages' | 'tools' | 'thinking' | 'maxTokens'>

export function needsOf(request: Wants): Need {
  const { systemPrompt, messages, tools, thinking = 'off', maxTokens = safeReplyTokens } = request
  const blocks = messages.flatMap(({ content }) => content)
  return {
    images: blocks.some(({ type }) => type === 'image'),
    documents: blocks.some(isPaged),
    tools: tools.length > 0,
    thinking: thinking !== 'off',
    tokens: estimateFixed(systemPrompt, tools) + estimateMessages(messages) + maxTokens,
  }
}

interface Ability {
  /** Describes a model without it. */
  readonly lack: string
  readonly isNeeded: (need: Need) => boolean
  /** Returns `undefined` if unknown. */
  readonly has: (info: ModelInfo, need: Need) => boolean | undefined
}

const abilities: readonly Ability[] = [
  { lack: 'cannot see images', isNeeded: (need) => need.images, has: (info) => info.images },
  { lack: 'cannot read documents', isNeeded: (need) => need.documents, has: (info) => info.documents },
  { lack: 'cannot call tools', isNeeded: (need) => need.tools, has: (info) => info.tools },
  {
    lack: 'cannot think',
    isNeeded: (need) => need.thinking,
    has: ({ thinking }) => thinking && thinking.type !== 'none',
  },
  {
    lack: 'has too small a context window for this conversation',
    isNeeded: () => true,
    has: ({ contextWindow: window }, { tokens }) => (window === undefined ? undefined : window >= tokens),
  },
]

/** Returns the needed abilities that a model is known to lack. */
export function lacksOf(info: ModelInfo | undefined, need: Need): readonly Ability[] {
  if (info === undefined) return []
  return abilities.filter(({ isNeeded, has }) => isNeeded(need) && has(info, need) === false)
}

/**
 * Returns the chosen model unless it is known to lack a needed ability. Then it opens the first candidate known to have it, in
 * the order of `routing.prefer`; without one, it falls back to the chosen model. `latency` is in milliseconds, by name.
 */
export async function chooseRoute(
  choice: ModelChoice,
  need: Need,
  { candidates, prefer }: Pick<Routing, 'candidates' | 'prefer'>,
  latency: ReadonlyMap<string, number>,
): Promise<ModelRoute> {
  const lacks = lacksOf(infoOf(choice), need)
  if (lacks.length === 0) return { choice }
  const able = candidates.filter(({ info }) => makesUpFor(lacks, info, need))
  for (const candidate of inOrder(able, prefer, latency)) {
    const opened = await openCandidate(candidate, choice)
    if (isPipeError(opened)) continue
    return { choice: opened, reason: `${modelName(choice)} ${lacks.map(({ lack }) => lack).join(' and ')}` }
  }
  return { choice }
}

/** Whether a model is known to have what the chosen one lacks, and not known to lack anything else. */
function makesUpFor(lacks: readonly Ability[], info: ModelInfo | undefined, need: Need): boolean {
  if (info === undefined) return false
  return lacks.every(({ has }) => has(info, need) === true) && lacksOf(info, need).length === 0
}

function inOrder(
  candidates: readonly Candidate[],
  prefer: Routing['prefer'],
  latency: ReadonlyMap<string, number>,
): readonly Candidate[] {
  switch (prefer) {
    case 'order':
      return candidates
    case 'cost':
      return byLeast(candidates, ({ info }) => info?.price && overallPrice(info.price))
    case 'latency':
      return byLeast(candidates, ({ name }) => latency.get(name))
    default:
      return unreachable(prefer)
  }
}

/**
 * Opens a candidate that replaces another choice. It keeps that choice's thinking level unless it has its own. Returns the
 * error if it cannot be opened.
 */
export async function openCandidate(
  candidate: Candidate,
  replaced: ModelChoice,
): Promise<ModelChoice | PipeError> {
  try {
    const opened = await candidate.open()
    const { thinking = replaced.thinking, info = candidate.info } = opened
    return { ...opened, thinking, info }
  } catch (error) {
    if (isPipeError(error)) return error
    throw error
  }
}
