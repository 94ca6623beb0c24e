import { type ElfEnd, type ElfStart, elfOutcome } from '../elf.ts'
import type { AgentEvent } from '../event.ts'
import { callTarget } from '../frontend/words/call-target.ts'
import type { AgentId, InteractionId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { totalTokens } from '../usage.ts'

/** An elf of the conversation, as far as the screen shows it. Texts are not cleaned. */
export interface ElfState {
  readonly start: ElfStart
  /** Monotonic time. */
  readonly startedAt: number
  readonly state: 'running' | 'done' | 'failed' | 'stopped'
  /** `provider/model` that answers now. */
  readonly model: string
  readonly doing: Doing
  /** The question that it asks, and the monotonic time since which it waits for the answer. */
  readonly asks: { readonly id: InteractionId; readonly title: string; readonly at: number } | undefined
  /** Its last calls, a line each. */
  readonly recent: readonly string[]
  readonly calls: number
  readonly tokens: number
  readonly costUsd: number | undefined
  /** The block that it writes, and the end of its text. */
  readonly block: string
  readonly text: string
  /** Set once it has ended. */
  readonly durationMs?: number
  /** The reason for an early end. */
  readonly reason?: string | undefined
}

/** The work of an elf at a moment. */
export type Doing =
  | { readonly type: 'thinking' | 'writing' }
  | { readonly type: 'call'; readonly name: string; readonly target: string }
  | { readonly type: 'waiting'; readonly reason: string }

/** Calls and characters of an elf that are kept. */
const keptCalls = 12
const keptText = 2_000
/** Characters of the target of a call that are kept. */
const targetLength = 300

/** Creates the state of an elf that starts. */
export function beginElf(start: ElfStart, startedAt: number): ElfState {
  return {
    start,
    startedAt,
    state: 'running',
    model: start.model,
    doing: { type: 'thinking' },
    asks: undefined,
    recent: [],
    calls: 0,
    tokens: 0,
    costUsd: undefined,
    block: '',
    text: '',
  }
}

/** Ends an elf as its parent tells. */
export function endElf(elf: ElfState, end: ElfEnd, now: number): ElfState {
  const { usage, costUsd, reason } = end
  const tokens = totalTokens(usage)
  return {
    ...closed(elf, elfOutcome(end), now),
    tokens: Math.max(elf.tokens, tokens),
    costUsd: costUsd ?? elf.costUsd,
    reason: reason ?? elf.reason,
  }
}

/** Marks an elf as stopped together with its parent's turn. */
export function stopElf(elf: ElfState, now: number): ElfState {
  return elf.state === 'running' ? closed(elf, 'stopped', now) : elf
}

function closed(elf: ElfState, state: ElfState['state'], now: number): ElfState {
  return { ...elf, state, asks: undefined, durationMs: workTime(elf, now) }
}

/** Returns how long an elf has worked, in ms, without the time that it waited for answers. */
export function workTime({ durationMs, startedAt, asks }: ElfState, now: number): number {
  return durationMs ?? (asks?.at ?? now) - startedAt
}

/** Folds an event of an elf into its state, which stays small. Pure. */
export function reduceElf(elf: ElfState, event: AgentEvent, now: number): ElfState {
  switch (event.type) {
    case 'thinking_delta':
      return elf.doing.type === 'thinking' ? elf : { ...elf, doing: { type: 'thinking' } }
    case 'text_delta': {
      const before = elf.block === event.id ? elf.text : ''
      const text = (before + event.delta).slice(-keptText)
      return { ...elf, doing: { type: 'writing' }, block: event.id, text }
    }
    case 'tool_start': {
      const { name } = event
      const target = callTarget(event.arguments).slice(0, targetLength)
      const recent = [...elf.recent, `${name} ${target}`.trim()].slice(-keptCalls)
      return { ...elf, doing: { type: 'call', name, target }, recent, calls: elf.calls + 1 }
    }
    case 'tool_end':
      return { ...elf, doing: { type: 'thinking' } }
    case 'interaction_requested':
      return { ...elf, asks: { id: event.interaction.id, title: event.interaction.display.title, at: now } }
    case 'interaction_responded':
      return { ...elf, startedAt: elf.startedAt + now - (elf.asks?.at ?? now), asks: undefined }
    case 'round_start':
      // Providers number the blocks of every answer from the start.
      return { ...elf, doing: { type: 'thinking' }, model: `${event.provider}/${event.model}`, block: '' }
    case 'round_end': {
      const { usage, costUsd } = event
      return {
        ...elf,
        tokens: elf.tokens + totalTokens(usage),
        costUsd: costUsd === undefined ? elf.costUsd : (elf.costUsd ?? 0) + costUsd,
      }
    }
    case 'retry':
      return { ...elf, doing: { type: 'waiting', reason: event.reason } }
    case 'fallback':
      return { ...elf, model: event.to, doing: { type: 'waiting', reason: event.reason } }
    default:
      return elf
  }
}

/** Elves that are kept; of those that have ended, the oldest are forgotten first. */
const keptElves = 50

/** Adds an elf. */
export function addElf(elves: readonly ElfState[], elf: ElfState): readonly ElfState[] {
  const oldest = elves.length < keptElves ? undefined : elves.find(({ state }) => state !== 'running')
  return [...elves.filter((one) => one !== oldest), elf]
}

/** Changes the elf of this id, if there is one. */
export function changeElf(
  elves: readonly ElfState[],
  id: AgentId,
  change: (elf: ElfState) => ElfState,
): readonly ElfState[] {
  const at = elves.findIndex(({ start }) => start.elfId === id)
  const elf = elves[at]
  if (elf === undefined) return elves
  const changed = change(elf)
  return changed === elf ? elves : elves.with(at, changed)
}

/** Returns the details that the result of its call has, as far as the screen knows them. */
export function detailsOf({ start, state, costUsd, reason }: ElfState): JsonObject {
  const stopReason = state === 'stopped' ? 'aborted' : state === 'failed' ? 'error' : 'end_turn'
  return {
    elf: start.name,
    agent: start.agent,
    stop_reason: stopReason,
    ...omitUndefined({ cost_usd: costUsd, reason }),
  }
}
