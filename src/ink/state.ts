import type { MessageId } from '../id.ts'
import type { JsonValue } from '../json-value.ts'
import type { PermissionMode } from '../permission.ts'
import { noUsage, type Usage } from '../usage.ts'
import type { Block, Blocks } from './blocks.ts'
import { emptyPrompt, type Prompt, type Written } from './prompt.ts'
import type { Question } from './question.ts'
import type { Thinking, Thought } from './thinking.ts'

/** All that the screen shows, as one value. What is drawn is a function of it and nothing else. */
export interface Screen {
  readonly size: Size
  /** What will not change any more, since the store took it last. */
  readonly finished: readonly Entry[]
  /** What the model is writing now. */
  readonly draft: Draft | undefined
  readonly calls: readonly OpenCall[]
  /** The first one is shown. */
  readonly questions: readonly Question[]
  readonly prompt: Prompt
  /** Messages that steer, not delivered yet. */
  readonly queued: readonly Queued[]
  /** Work that is no turn, and keeps one from beginning. */
  readonly errand: ShownErrand | undefined
  /** Since when a turn runs, in milliseconds of the monotonic clock. */
  readonly busySince: number | undefined
  /** When the agent was heard last, or a model is to be asked again: monotonic. */
  readonly heardAt: number
  /** Why the last round was answered by another model than the one that is set. */
  readonly routeReason: string | undefined
  /** The monotonic clock as it was last looked at. */
  readonly now: number
  /** When the draft was last edited: monotonic. Absent once it was sent or cleared. */
  readonly typedAt: number | undefined
  /** When any key was last pressed: monotonic. */
  readonly pressedAt: number | undefined
  /** When Ctrl+C was pressed with nothing to clear or to stop: pressed again soon, it quits. */
  readonly quitAsked: number | undefined
  readonly status: Status
  /** The shell has the terminal: nothing that is live is drawn. */
  readonly isAway: boolean
  /** Nothing is live any more. */
  readonly isOver: boolean
}

/** In character cells. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Rows that the prompt, the status and what runs have at least. */
const keptRows = 8

/** Rows that what the model writes may take before it is final. */
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
  /** The turn was over before it was: its text is the end of what it had written. */
  readonly isInterrupted?: true
  /** What the model was given. */
  readonly text: string
  readonly details?: JsonValue
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
}

export type Draft =
  | { readonly type: 'text'; readonly id: string; readonly blocks: Blocks; readonly started: boolean }
  | { readonly type: 'thinking'; readonly id: string; readonly thinking: Thinking }

export interface OpenCall {
  readonly id: string
  readonly name: string
  /** `null` while the model still writes the call. */
  readonly arguments: JsonValue
  /** Monotonic; absent before it is its turn. */
  readonly startedAt?: number
  /** The end of what it wrote. */
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

/** Something that was sent and waits. */
export interface Waiting {
  /** As it is shown. */
  readonly text: string
  /** As it was in the prompt. */
  readonly written: Written
}

export interface ShownErrand {
  /** `undoing`. */
  readonly doing: string
  /** Monotonic. */
  readonly since: number
  /** What was sent meanwhile. */
  readonly later: readonly Waiting[]
}

export interface Status {
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  readonly branch: string | undefined
  readonly usage: Usage
  readonly costUsd: number | undefined
  /** Tokens of the last request and its reply: how full the context is. */
  readonly contextTokens: number | undefined
  /** Tokens that the model's context holds, where known. */
  readonly contextWindow: number | undefined
}

/** A screen on which nothing has happened yet, for the `provider/model` that is to answer. */
export function blankScreen(size: Size, model: string): Screen {
  return {
    size,
    finished: [],
    draft: undefined,
    calls: [],
    questions: [],
    prompt: emptyPrompt,
    queued: [],
    errand: undefined,
    busySince: undefined,
    heardAt: 0,
    routeReason: undefined,
    now: 0,
    typedAt: undefined,
    pressedAt: undefined,
    quitAsked: undefined,
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
