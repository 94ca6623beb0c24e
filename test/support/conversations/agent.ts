import { AgentEvents } from '../../../src/agent/agent-events.ts'
import { AuditTrail } from '../../../src/agent/calls/audit-trail.ts'
import type { EngineOptions } from '../../../src/agent/engine-options.ts'
import { type OpenEngine, openEngine } from '../../../src/agent/open-engine.ts'
import type { Turn } from '../../../src/engine.ts'
import type { AgentEvent } from '../../../src/event.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import type { Message, UserMessage } from '../../../src/message.ts'
import type { Provider, Request } from '../../../src/provider.ts'
import { createReplayProvider } from '../../../src/replay/provider.ts'
import type { ScriptBlock, ScriptFailure, ScriptRound } from '../../../src/replay/script.ts'
import type { SessionLog, SessionState } from '../../../src/session.ts'
import { stillClock } from '../clocks/still-clock.ts'
import { countingIds } from '../messages/ids.ts'
import { text, user } from '../messages/messages.ts'
import { scriptedTools } from './scripted-tools.ts'

export interface AgentUnderTest {
  readonly engine: OpenEngine['engine']
  readonly conversation: OpenEngine
  readonly events: AgentEvents
  /** The requests that reached the provider. */
  readonly requests: readonly Request[]
  /** The messages in the session. */
  readonly saved: readonly Message[]
  /** The states saved with each message. */
  readonly states: readonly SessionState[]
  /** `request`, `append TYPE` and `sync`, in order. */
  readonly journal: string[]
}

export interface AgentSetup extends Partial<EngineOptions> {
  /** Default: true. */
  readonly isPromptAudited?: boolean
  readonly rounds?: readonly ScriptRound[]
  readonly provider?: Provider
  readonly journal?: string[]
  /** Called before a message is appended. Throws to simulate a full disk. */
  readonly beforeAppend?: (message: Message) => void
}

/** Creates a conversation with a scripted model, and records everything it does. */
export function openAgent(setup: AgentSetup = {}): AgentUnderTest {
  const { rounds = [], journal = [], beforeAppend = () => undefined, provider, ...given } = setup
  const { isPromptAudited = true, ...options } = given
  const { audit, newId = countingIds(), systemPrompt = 'Be brief.' } = options
  const clock = options.clock ?? stillClock()
  const saved: Message[] = []
  const states: SessionState[] = []
  const requests: Request[] = []
  const played = provider ?? createReplayProvider({ script: { rounds }, newId, clock })
  const events = new AgentEvents(
    newId.agent(),
    audit && new AuditTrail(audit, 'agent_pipe', isPromptAudited ? undefined : systemPrompt),
  )
  const conversation = openEngine({
    log: recordingLog(saved, states, journal, beforeAppend),
    systemPrompt,
    events,
    model: { provider: recorded(played, requests, journal), model: 'script' },
    executor: scriptedTools({}),
    actor: { id: 'agent_pipe', kind: 'agent', displayName: 'pipe', capabilities: [] },
    clock,
    newId,
    random: () => 0.5,
    ...options,
  })
  return { engine: conversation.engine, conversation, events, requests, saved, states, journal }
}

/** Wraps a provider to record its requests. */
export function recorded(provider: Provider, requests: Request[], journal: string[] = []): Provider {
  return {
    name: provider.name,
    stream(request, options) {
      requests.push(request)
      journal.push('request')
      return provider.stream(request, options)
    },
  }
}

function recordingLog(
  saved: Message[],
  states: SessionState[],
  journal: string[],
  beforeAppend: (message: Message) => void,
): SessionLog {
  return {
    id: countingIds().session(),
    unsaved: undefined,
    append: async (message, state = {}) => {
      beforeAppend(message)
      journal.push(`append ${message.type}`)
      saved.push(message)
      states.push(state)
    },
    update: async (state) => {
      journal.push('update')
      states.push(state)
    },
    sync: async () => {
      journal.push('sync')
    },
    close: async () => {
      journal.push('close')
    },
  }
}

/** Runs a turn to its end. Calls `see` with each event before it pulls the next. */
export async function play(
  { engine }: Pick<AgentUnderTest, 'engine'>,
  options: {
    readonly message?: UserMessage
    readonly signal?: AbortSignal
    readonly see?: (event: AgentEvent, index: number) => void | Promise<void>
  } = {},
): Promise<{ readonly events: readonly AgentEvent[]; readonly turn: Turn }> {
  const { message = user(text('hello')), signal = new AbortController().signal, see } = options
  const events: AgentEvent[] = []
  const running = engine.submit(message, { signal })
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { events, turn: step.value }
    events.push(step.value)
    await see?.(step.value, events.length - 1)
  }
}

/** A scripted round that succeeds at once. */
export function round(...blocks: readonly ScriptBlock[]): ScriptRound {
  return { blocks, failures: [], usage: { inputTokens: 10, outputTokens: 5 } }
}

/** The same round after these failures. */
export function failing(scripted: ScriptRound, ...failures: readonly ScriptFailure[]): ScriptRound {
  return { ...scripted, failures }
}

export function says(words: string): ScriptBlock {
  return { type: 'text', text: words }
}

export function calls(id: string, name: string, args: JsonValue = {}): ScriptBlock {
  return { type: 'tool_call', id, name, arguments: args }
}

/** Summarises an event in a few words, to compare sequences at a glance. */
export function brief(event: AgentEvent): string {
  switch (event.type) {
    case 'state':
      return `state ${event.to}`
    case 'round_start':
      return `round_start ${event.round}`
    case 'round_end':
      return `round_end ${event.stopReason}`
    case 'turn_end':
      return `turn_end ${event.stopReason}`
    case 'text_delta':
    case 'thinking_delta':
      return `${event.type}${event.delta.startsWith(' ') ? '' : ' '}${event.delta}`
    case 'tool_call_begin':
    case 'tool_call_delta':
      return `${event.type} ${event.id}`
    case 'tool_call_end':
      return `tool_call_end ${event.call.id}`
    case 'tool_start':
      return `tool_start ${event.callId}`
    case 'tool_output':
      return `tool_output ${event.callId} ${event.chunk}`
    case 'tool_end':
      return `tool_end ${event.callId}${event.isError ? ' failed' : ''}`
    case 'message':
      return `message ${event.message.type}`
    default:
      return event.type
  }
}

/** Returns the texts of tool results, by call id, in order. */
export function resultsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.type === 'tool_result'
      ? [`${message.toolCallId}${message.isError ? ' failed' : ''}: ${shown(message)}`]
      : [],
  )
}

function shown({ content }: Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
}
