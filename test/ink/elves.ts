import type { ElfEnd, ElfStart } from '../../src/elf.ts'
import type { AgentId } from '../../src/id.ts'
import { reduce } from '../../src/ink/reduce/reduce.ts'
import type { Screen } from '../../src/ink/state.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import { otherIds } from '../support/messages/ids.ts'
import { fold, type Unstamped } from './conversation.ts'

const newId = otherIds()

/** An elf of a test. */
export interface TestElf {
  readonly id: AgentId
  readonly start: ElfStart
  readonly call: readonly Unstamped[]
}

interface Order {
  readonly name: string
  readonly agent: string
  readonly model: string
  readonly prompt: string
  readonly isBackground?: true
}

/** Creates an elf and the events of the call that starts it. */
export function createElf({ isBackground, ...order }: Order): TestElf {
  const id = newId.agent()
  const callId = `call_${order.name}`
  const sessionId = newId.session()
  const start: ElfStart = {
    type: 'elf_start',
    callId,
    elfId: id,
    sessionId,
    ...order,
    ...omitUndefined({ isBackground }),
  }
  const args = { agent: order.agent, prompt: order.prompt }
  return {
    id,
    start,
    call: [
      { type: 'tool_call_begin', id: callId, name: 'elf' },
      { type: 'tool_start', callId, name: 'elf', arguments: args },
      start,
    ],
  }
}

/** Folds events of an elf, one per millisecond from `from` on. */
export function foldElf(screen: Screen, { id }: TestElf, events: readonly Unstamped[], from = 0): Screen {
  return events.reduce<Screen>(
    (now, event, i) =>
      reduce(now, { type: 'elf', event: { ...event, agentId: id, seq: i + 1 }, at: from + i }),
    screen,
  )
}

/** Creates the event with which an elf ends. */
export function ends({ start }: TestElf, more: Partial<ElfEnd> = {}): ElfEnd {
  const { elfId, name } = start
  const usage = { inputTokens: 9_000, outputTokens: 600 }
  return { type: 'elf_end', elfId, name, stopReason: 'end_turn', rounds: 2, usage, costUsd: 0.0123, ...more }
}

/** Folds the end of an elf and the result of its call. */
export function foldEnd(
  screen: Screen,
  elf: TestElf,
  { text, isError = false, ...end }: Partial<ElfEnd> & { readonly text: string; readonly isError?: boolean },
  at: number,
): Screen {
  const ended = ends(elf, end)
  const { name, stopReason, rounds, costUsd, reason } = ended
  const details = {
    elf: name,
    agent: elf.start.agent,
    model: elf.start.model,
    stop_reason: stopReason,
    rounds,
    ...omitUndefined({ cost_usd: costUsd, reason }),
  }
  const content = [{ type: 'text', text }] as const
  const { callId } = elf.start
  return fold(screen, [ended, { type: 'tool_end', callId, isError, content, details, durationMs: at }], at)
}

/** The events of a round of an elf that ends with a call. */
export function works(name: string, args: Readonly<Record<string, string>>): readonly Unstamped[] {
  return [
    { type: 'round_start', round: 1, provider: 'acme', model: 'mini' },
    { type: 'thinking_delta', id: 'thinking_1', delta: 'Where is it?' },
    {
      type: 'round_end',
      round: 1,
      stopReason: 'tool_use',
      usage: { inputTokens: 3_000, outputTokens: 400 },
      costUsd: 0.004,
    },
    { type: 'tool_start', callId: 'call_1', name, arguments: args },
  ]
}
