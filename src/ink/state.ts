import type { MessageId } from '../id.ts'
import type { JsonValue } from '../json-value.ts'
import type { PermissionMode } from '../permission.ts'
import { noUsage, type Usage } from '../usage.ts'
import type { Block, Blocks } from './blocks.ts'
import type { ElfState } from './elf.ts'
import type { Panel } from './panel/panel.ts'
import type { Picker } from './picker.ts'
import { emptyPrompt, type Prompt, type Written } from './prompt.ts'
import type { Question } from './question.ts'
import type { Thinking, Thought } from './thinking.ts'

/** The whole state of the screen. Drawing is a pure function of it. */
export interface Screen {
  readonly size: Size
  /** Entries that became final since the store last took them. */
  readonly finished: readonly Entry[]
  /** The text or thinking that the model is writing now. */
  readonly draft: Draft | undefined
  readonly calls: readonly OpenCall[]
  /** Elves of the conversation in the order of their start. Those at work have a row each. */
  readonly elves: readonly ElfState[]
  /** Open questions. The first one is shown. */
  readonly questions: readonly Question[]
  /** The open list to choose from. Shown while no question is open, instead of the prompt. */
  readonly picker: Picker | undefined
  /** The open board or list of elves, shown likewise. */
  readonly panel: Panel | undefined
  readonly prompt: Prompt
  /** Steering messages that are not delivered yet. */
  readonly queued: readonly Queued[]
  /** Work other than a turn, which delays the next turn. */
  readonly task: ShownTask | undefined
  /** Start of the running turn in ms of the monotonic clock. */
  readonly busySince: number | undefined
  /** Monotonic time of the last agent event, or of the next retry. */
  readonly heardAt: number
  /** Why a model other than the configured one answered the last round. */
  readonly routeReason: string | undefined
  /** Last reading of the monotonic clock. */
  readonly now: number
  /** Monotonic time of the last edit of the draft. Absent once the draft was sent or cleared. */
  readonly typedAt: number | undefined
  /** Monotonic time of the last key press. */
  readonly pressedAt: number | undefined
  /** Monotonic time of a Ctrl+C with nothing to clear or stop. A second one soon after quits. */
  readonly quitAsked: number | undefined
  /** Monotonic time of an Esc at an idle, empty prompt, unless another key followed. A second one soon after goes back. */
  readonly escapedAt: number | undefined
  readonly status: Status
  /** Whether the shell has the terminal: live rows are not drawn. */
  readonly isAway: boolean
  /** Whether the user has quit: live rows are no longer drawn. */
  readonly isOver: boolean
}

/** In character cells. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Minimum rows kept for the prompt, the status and running calls. */
const keptRows = 8

/** Returns how many rows the draft may take before it is final. */
export function draftRows({ rows }: Size): number {
  return Math.max(1, rows - keptRows)
}

/** A part of the transcript that is final. */
export type Entry =
  | { readonly type: 'header'; readonly model: string }
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'block'; readonly block: Block; readonly first: boolean }
  | ({ readonly type: 'thinking' } & Thought)
  | ({ readonly type: 'tool' } & EndedCall)
  | { readonly type: 'note'; readonly level: 'info' | 'error'; readonly text: string }

export interface EndedCall {
  readonly name: string
  readonly arguments: JsonValue
  readonly isError: boolean
  /** Set if the turn ended before the call. `text` is then the end of its output. */
  readonly isInterrupted?: true
  /** The result as the model received it. */
  readonly text: string
  readonly details?: JsonValue
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
  /** Calls that the elf of this call has made. */
  readonly elfCalls?: number
}

export type Draft =
  | { readonly type: 'text'; readonly id: string; readonly blocks: Blocks; readonly started: boolean }
  | { readonly type: 'thinking'; readonly id: string; readonly thinking: Thinking }

export interface OpenCall {
  readonly id: string
  readonly name: string
  /** `null` while the model is still writing the call. */
  readonly arguments: JsonValue
  /** Monotonic start time; absent while the call waits for its turn. */
  readonly startedAt?: number
  /** The end of its output. */
  readonly output: string
}

/** Whether the model has written all of a call. */
export function isWhole(call: OpenCall): boolean {
  return call.arguments !== null
}

/** A message that waits to be delivered. */
export interface Queued extends Waiting {
  readonly id: MessageId
}

/** A message that was sent and waits. */
export interface Waiting {
  /** Text as shown. */
  readonly text: string
  /** Text as it was in the prompt. */
  readonly written: Written
}

export interface ShownTask {
  /** Label of the work, such as `undoing`. */
  readonly doing: string
  /** Monotonic start time. */
  readonly since: number
  /** Messages sent meanwhile. */
  readonly later: readonly Waiting[]
}

export interface Status {
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  /** The name of the agent that the conversation works as. */
  readonly agent?: string | undefined
  readonly branch: string | undefined
  readonly usage: Usage
  readonly costUsd: number | undefined
  /** Tokens of the last request and its reply: how full the context is. */
  readonly contextTokens: number | undefined
  /** Size of the model's context in tokens, if known. */
  readonly contextWindow: number | undefined
  /** Tasks of the board that await an answer. */
  readonly waitingTasks?: number
}

/** Creates an empty screen for the `provider/model` that will answer. */
export function blankScreen(size: Size, model: string): Screen {
  return {
    size,
    finished: [],
    draft: undefined,
    calls: [],
    elves: [],
    questions: [],
    picker: undefined,
    panel: undefined,
    prompt: emptyPrompt,
    queued: [],
    task: undefined,
    busySince: undefined,
    heardAt: 0,
    routeReason: undefined,
    now: 0,
    typedAt: undefined,
    pressedAt: undefined,
    quitAsked: undefined,
    escapedAt: undefined,
    status: {
      model,
      mode: undefined,
      branch: undefined,
      usage: noUsage,
      costUsd: undefined,
      contextTokens: undefined,
      contextWindow: undefined,
    },
    isAway: false,
    isOver: false,
  }
}
