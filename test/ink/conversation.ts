import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import type { AgentEvent } from '../../src/event.ts'
import { reduce } from '../../src/ink/reduce/reduce.ts'
import { blankScreen, type Entry, type Screen, type Size } from '../../src/ink/state.ts'
import type { Store } from '../../src/ink/store.ts'
import { noUsage } from '../../src/usage.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'

export type Unstamped = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'agentId' | 'seq'>
    : never
  : never

const newId = countingIds()
const agentId = newId.agent()

/** Creates an empty screen. */
export function emptyScreen(size: Size = { columns: 60, rows: 20 }): Screen {
  const blank = { ...blankScreen(size, 'test/model'), look: lookOf }
  return { ...blank, status: { ...blank.status, mode: 'default', branch: 'main' } }
}

/** Collects all entries that the store shows as finished from now on. */
export function follow(store: Store): readonly Entry[] {
  const entries: Entry[] = []
  store.subscribe(({ finished }) => entries.push(...finished))
  return entries
}

/** Folds agent events into a screen, one per millisecond from `from` on. */
export function fold(screen: Screen, events: readonly Unstamped[], from = 0): Screen {
  return events.reduce<Screen>(
    (now, event, i) => reduce(now, { type: 'agent', event: { ...event, agentId, seq: i + 1 }, at: from + i }),
    screen,
  )
}

export const said = (words: string): Unstamped => ({ type: 'turn_start', message: user(text(words)) })
export const delta = (words: string, id = 'text_1'): Unstamped => ({ type: 'text_delta', id, delta: words })
export const thought = (words: string): Unstamped => ({
  type: 'thinking_delta',
  id: 'thinking_1',
  delta: words,
})
export const roundEnd: Unstamped = {
  type: 'round_end',
  round: 1,
  stopReason: 'end_turn',
  usage: { inputTokens: 1_000, outputTokens: 234 },
}
export const turnEnd: Unstamped = { type: 'turn_end', stopReason: 'end_turn', rounds: 1, usage: noUsage }

/** Creates the events of a bash call from its start to its output. */
export function bashRuns(callId: string, command: string, output: string): readonly Unstamped[] {
  return [
    { type: 'tool_call_begin', id: callId, name: 'bash' },
    { type: 'tool_start', callId, name: 'bash', arguments: { command } },
    { type: 'tool_output', callId, stream: 'stdout', chunk: output },
  ]
}

export function bashEnds(callId: string, output: string, isError = false): Unstamped {
  return { type: 'tool_end', callId, isError, content: [{ type: 'text', text: output }], durationMs: 1_200 }
}

/** Folds agent events and shows the screen at 0, so that keys soon answer its first question. */
export function foldAsked(screen: Screen, events: readonly Unstamped[]): Screen {
  return reduce(fold(screen, events, 1_000), { type: 'shown', at: 0 })
}

/** Creates the permission question that the gate asks for a command. */
export function asks(content: string): Extract<Unstamped, { type: 'interaction_requested' }> {
  return {
    type: 'interaction_requested',
    interaction: {
      id: newId.interaction(),
      kind: 'select',
      purpose: 'confirm_risky_action',
      display: { title: 'Allow bash?', content: { command: content }, contentKind: 'json' },
      options: [
        { id: 'allow', label: 'Yes, once' },
        { id: 'allow_session', label: 'Yes, this session' },
        { id: 'deny', label: 'No', isDefault: true },
      ],
    },
  }
}
