import type { ElfEnd, ElfStart } from './elf.ts'
import type { AgentState } from './engine.ts'
import type { Checkpoint } from './history/checkpoint.ts'
import type { AgentId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type {
  AssistantMessage,
  ContentBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from './message.ts'
import type { StopReason, Usage } from './usage.ts'

/** Events of a model's reply. Transport and protocol errors are thrown by `Stream.next()` instead. */
export type StreamEvent = TextDelta | ThinkingDelta | ToolCallBegin | ToolCallDelta | ToolCallEnd

/** `id` names the block within its reply; blocks may interleave. */
export interface TextDelta {
  readonly type: 'text_delta'
  readonly id: string
  readonly delta: string
}

export interface ThinkingDelta {
  readonly type: 'thinking_delta'
  readonly id: string
  readonly delta: string
}

export interface ToolCallBegin {
  readonly type: 'tool_call_begin'
  readonly id: string
  readonly name: string
}

/** A piece of the arguments' JSON text. */
export interface ToolCallDelta {
  readonly type: 'tool_call_delta'
  readonly id: string
  readonly delta: string
}

export interface ToolCallEnd {
  readonly type: 'tool_call_end'
  readonly call: ToolCallBlock
}

/** Tells a person something while the turn goes on, as a sentence without its full stop. */
export interface Notice {
  readonly type: 'notice'
  readonly text: string
}

/** The user's "always" was saved, with the rules as the question showed them. */
export interface RulesSaved {
  readonly type: 'rules_saved'
  readonly rules: readonly string[]
  /** As people write it: `~/.config/pipe/config.json`. */
  readonly file: string
}

/** The answer to a question, or its withdrawal. Every question ends with one. `callId`: the call that asked. */
export interface InteractionResponded {
  readonly type: 'interaction_responded'
  readonly response: InteractionResponse
  readonly callId?: string
}

/** Events of the agent around the model, strictly nested: `x_start` before `x_end`. */
export type AgentFact =
  /** Without a message, the turn continues an earlier one at its open questions. */
  | { readonly type: 'turn_start'; readonly message?: UserMessage }
  | {
      readonly type: 'turn_end'
      readonly stopReason: StopReason
      readonly rounds: number
      readonly usage: Usage
      /** US dollars. Absent if the price is unknown. */
      readonly costUsd?: number
    }
  | {
      readonly type: 'round_start'
      readonly round: number
      readonly provider: string
      readonly model: string
      /** The reason why another model answers instead of the conversation's own. */
      readonly reason?: string
    }
  | {
      readonly type: 'round_end'
      readonly round: number
      readonly stopReason: StopReason
      readonly rawStopReason?: string
      readonly usage: Usage
      /** US dollars. Absent if the price is unknown. */
      readonly costUsd?: number
    }
  /** Emitted once the session has the message. Includes steering messages. */
  | { readonly type: 'message'; readonly message: AssistantMessage | ToolResultMessage | UserMessage }
  | {
      readonly type: 'tool_start'
      readonly callId: string
      readonly name: string
      readonly arguments: JsonValue
    }
  | {
      readonly type: 'tool_output'
      readonly callId: string
      readonly stream: 'stdout' | 'stderr'
      readonly chunk: string
    }
  | {
      readonly type: 'tool_end'
      readonly callId: string
      readonly isError: boolean
      readonly content: readonly ContentBlock[]
      readonly details?: JsonValue
      readonly durationMs: number
    }
  /** `callId`: the call that asks. */
  | { readonly type: 'interaction_requested'; readonly interaction: Interaction; readonly callId?: string }
  | InteractionResponded
  | { readonly type: 'state'; readonly from: AgentState; readonly to: AgentState }
  /** The reply is requested again; with attempt 0, only shown again. Discard the shown text of these blocks. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly reason: string
      readonly waitMs: number
      readonly discarded: readonly string[]
      /** The server's id of the failed request. */
      readonly requestId?: string
      /** The HTTP status of the failure. Absent if the server sent none. */
      readonly status?: number
    }
  /** Another model continues this turn, or writes its summary. Both names are `provider/model`. */
  | {
      readonly type: 'fallback'
      readonly from: string
      readonly to: string
      readonly reason: string
      /** Discard the shown text of these blocks. */
      readonly discarded: readonly string[]
    }
  /** From now on the history up to here is sent as a summary. The session keeps all of it. Token counts are estimates. */
  | {
      readonly type: 'compaction'
      /** `manual` after the user's command. */
      readonly trigger: 'manual' | 'auto'
      readonly summary: string
      /** `provider/model` that wrote the summary. Absent if none did, and old output was left out instead. */
      readonly by?: string
      readonly tokensBefore: number
      readonly tokensAfter: number
    }
  /** A commanded compaction made no summary. The history stays as it is. */
  | { readonly type: 'compaction_failed'; readonly reason: string }
  | Notice
  /** The disk is full: the conversation, or only its audit log, stays in memory until there is space. */
  | { readonly type: 'unsaved'; readonly part: 'conversation' | 'audit_log'; readonly reason: string }
  /** All waiting data is written. */
  | { readonly type: 'saved' }
  /** Files were saved before the first change of a turn or after its end, or could not be saved. */
  | ({ readonly type: 'checkpoint' } & Checkpoint)
  | RulesSaved
  | ElfStart
  | ElfEnd

/**
 * An event of one agent. `seq` counts from 1 without gaps. Events of an elf come in between with its own `agentId` and `seq`; its
 * questions are asked by the parent, whose event has the same interaction.
 */
export type AgentEvent = (StreamEvent | AgentFact) & { readonly agentId: AgentId; readonly seq: number }
