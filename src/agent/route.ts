import { type Candidate, infoOf, type ModelChoice, modelName, type Routing } from '../engine.ts'
import { isPipeError, type PipeError, unreachable } from '../error.ts'
import type { ModelInfo, Price } from '../model.ts'
import { present } from '../present.ts'
import type { Request } from '../provider.ts'
import { isPaged } from '../sight.ts'
import { modestReply } from './limits.ts'
import { estimateFixed, estimateMessages } from './tokens.ts'

/** What a request wants of the model that answers it. */
export interface Need {
  readonly images: boolean
  readonly documents: boolean
  readonly tools: boolean
  readonly thinking: boolean
  /** Room for the request and its reply: an estimate. */
  readonly tokens: number
}

/** Who answers, and why, where it is not the one that was chosen. */
export interface Route {
  readonly choice: ModelChoice
  readonly reason?: string
}

type Wants = Pick<Request, 'systemPrompt' | 'messages' | 'tools' | 'thinking' | 'maxTokens'>

export function needsOf(request: Wants): Need {
  const { systemPrompt, messages, tools, thinking = 'off', maxTokens = modestReply } = request
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
  /** Said of a model without it. */
  readonly lack: string
  readonly isNeeded: (need: Need) => boolean
  /** `undefined`: not known. */
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
    lack: 'has no room for this conversation',
    isNeeded: () => true,
    has: ({ contextWindow: window }, { tokens }) => (window === undefined ? undefined : window >= tokens),
  },
]

/** The needed abilities that a model is known not to have. */
export function lacksOf(info: ModelInfo | undefined, need: Need): readonly Ability[] {
  if (info === undefined) return []
  return abilities.filter(({ isNeeded, has }) => isNeeded(need) && has(info, need) === false)
}

/**
 * The chosen model, unless it is known to lack what is needed: then the first that can be opened of the candidates known to have
 * it, as `routing.prefer` orders them. Without such a candidate it is the chosen one all the same. `latency` is in milliseconds,
 * by name.
 */
export async function chooseRoute(
  choice: ModelChoice,
  need: Need,
  { candidates, prefer }: Pick<Routing, 'candidates' | 'prefer'>,
  latency: ReadonlyMap<string, number>,
): Promise<Route> {
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

/** What the chosen model lacks it must be known to have; of the rest it is enough that it is not known to lack it. */
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
      return byLeast(candidates, ({ info }) => info?.price && priceOf(info.price))
    case 'latency':
      return byLeast(candidates, ({ name }) => latency.get(name))
    default:
      return unreachable(prefer)
  }
}

function priceOf({ input, output }: Price): number {
  return input + output
}

/** The unknown come last, in their own order. */
function byLeast(
  candidates: readonly Candidate[],
  amount: (candidate: Candidate) => number | undefined,
): readonly Candidate[] {
  const of = (candidate: Candidate) => amount(candidate) ?? Number.MAX_VALUE
  return candidates.toSorted((a, b) => of(a) - of(b))
}

/**
 * The candidate, ready to be asked in the place of another choice, whose thinking level it keeps unless it has its own; or why it
 * cannot be.
 */
export async function openCandidate(
  candidate: Candidate,
  instead: ModelChoice,
): Promise<ModelChoice | PipeError> {
  try {
    const opened = await candidate.open()
    const { thinking = instead.thinking, info = candidate.info } = opened
    return { ...opened, ...present({ thinking, info }) }
  } catch (error) {
    if (isPipeError(error)) return error
    throw error
  }
}
