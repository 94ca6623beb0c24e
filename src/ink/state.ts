import type { MessageId } from '../id.ts'
import type { PermissionMode } from '../permission.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { FindLook } from '../tool.ts'
import { noUsage, type StopReason, type Usage } from '../usage.ts'
import type { SecretEntry } from './choices/secret-entry.ts'
import type { Syntax } from './code/code-syntax.ts'
import type { Completion } from './completion/completion.ts'
import { type Bindings, bindings } from './keys/bindings.ts'
import type { Block, Blocks } from './markdown/blocks.ts'
import type { Panel } from './panel/panel.ts'
import type { Picker } from './picker/picker.ts'
import type { Search } from './prompt/history-search.ts'
import { emptyPrompt, type Prompt, type PromptText } from './prompt/prompt.ts'
import type { Question } from './question/asked-question.ts'
import type { Line } from './rows/line.ts'
import type { ThemeName } from './rows/theme.ts'
import type { ElfState } from './shown-elf.ts'
import type { EndedCall, OpenCall } from './transcript/call.ts'
import type { Plan, PlanItem } from './transcript/plan.ts'
import type { ThinkingText, Thought } from './transcript/thinking-text.ts'
import type { TurnEnd } from './transcript/turn-end.ts'
import type { TurnFacts } from './transcript/turn-facts.ts'
import { nothingRecent, type Recent } from './view/recent.ts'
import type { View } from './view/view.ts'

/** The whole state of the screen. Drawing is a pure function of it. */
export interface Screen {
  readonly size: Size
  readonly theme: ThemeName
  /** Whether the terminal shows any colour, not only those of its palette. */
  readonly hasTrueColor: boolean
  readonly hasItalics: boolean
  /** Whether the form of the terminal's cursor shows the mode of vim keys. */
  readonly hasCursorShapes: boolean
  /** The meanings of keys. */
  readonly bindings: Bindings
  /** Finds how calls of a tool look. */
  readonly look: FindLook
  /** Colours code and diffs. Absent until the first is to be shown. */
  readonly syntax?: Syntax
  /** Entries that became final since the store last took them. */
  readonly finished: readonly Entry[]
  /** The entry that became final last. */
  readonly last: Entry | undefined
  /** Whether more than the head of the conversation, and notes, became final. */
  readonly hasBegun: boolean
  /** Ended calls that only looked. They become one entry once something else follows. */
  readonly looks: readonly EndedCall[]
  /** The text or thinking that the model is writing now. */
  readonly draft: Draft | undefined
  readonly calls: readonly OpenCall[]
  /** The model's words before the calls of its last reply, by their ids. */
  readonly reasons: ReadonlyMap<string, string>
  /** The model's list of what is to be done. */
  readonly plan: Plan | undefined
  /** Facts of the running turn. */
  readonly turn: TurnFacts | undefined
  /** Elves of the conversation in the order of their start. Those at work have a row each. */
  readonly elves: readonly ElfState[]
  /** Open questions. The first one is shown. */
  readonly questions: readonly Question[]
  /** The open list to choose from. Shown while no question is open, instead of the prompt. */
  readonly picker: Picker | undefined
  /** A hidden line that is asked for, shown likewise. */
  readonly secret?: SecretEntry | undefined
  /** The open board or list of elves, shown likewise. */
  readonly panel: Panel | undefined
  /** The open view, which covers the whole screen. */
  readonly view: View | undefined
  /** The last calls, thoughts and answers, for views. */
  readonly recent: Recent
  readonly prompt: Prompt
  /** Whether the keys of most use are shown above it. */
  readonly showsKeys: boolean
  /** The list of completions that was made last. `shownCompletion` tells whether it is shown. */
  readonly completion: Completion | undefined
  /** The open search in the history, shown in place of the prompt. */
  readonly search: Search | undefined
  /** Messages that are not delivered yet, in the order in which they were sent. */
  readonly queued: readonly Queued[]
  /** Work other than a turn, which delays the next turn. */
  readonly task: ShownTask | undefined
  /** Start of the running turn in ms of the monotonic clock. */
  readonly busySince: number | undefined
  /** Why the last turn ended. */
  readonly endedAs: StopReason | undefined
  /** Monotonic time of the last agent event, or of the next retry. */
  readonly heardAt: number
  /** The failed request that is sent again. */
  readonly retry: Retry | undefined
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
  | ({ readonly type: 'header' } & Header)
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'block'; readonly block: Block; readonly first: boolean }
  | ({ readonly type: 'thinking' } & Thought)
  | ({ readonly type: 'tool' } & EndedCall)
  /** Calls that only looked, in one row. */
  | { readonly type: 'reads'; readonly calls: readonly EndedCall[] }
  | { readonly type: 'plan'; readonly items: readonly PlanItem[] }
  | ({ readonly type: 'end' } & TurnEnd)
  /** `isPart`: about the message before it. */
  | {
      readonly type: 'note'
      readonly level: 'info' | 'error'
      readonly text: string
      readonly isPart?: boolean
    }

/** The facts at the head of a conversation. Absent ones are not known. */
export interface Header {
  readonly version?: string
  /** The working folder, below the home folder with `~`. */
  readonly folder?: string
  readonly branch?: string | undefined
  /** Names of the instruction files that the model gets. */
  readonly instructions?: readonly string[]
}

export type Draft =
  | { readonly type: 'text'; readonly id: string; readonly blocks: Blocks; readonly started: boolean }
  | { readonly type: 'thinking'; readonly id: string; readonly thinking: ThinkingText }

/** A request that failed and is sent again. */
export interface Retry {
  readonly reason: string
  /** Tries so far, all of them failed. */
  readonly failed: number
  /** Monotonic time of the next try. */
  readonly at: number
}

/** A message that waits to be delivered. */
export interface Queued extends Waiting {
  readonly id: MessageId
  /** For the running turn at its next step, or for a turn of its own after it. */
  readonly kind: 'next' | 'after'
}

/** A message that was sent and waits. */
export interface Waiting {
  /** Text as shown. */
  readonly text: string
  /** Text as it was in the prompt. */
  readonly written: PromptText
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
  /** The model's level of thinking; absent: as the server decides. */
  readonly thinking?: ThinkingLevel | undefined
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
  /** The server that runs the conversation. Absent: this process does. */
  readonly server?: string | undefined
  /** Why the connection to it is lost. Absent: it is not. */
  readonly lost?: string | undefined
  /** Tasks of the board that await an answer. */
  readonly waitingTasks?: number
  /** Describes the hooks that the turn waits for. */
  readonly hookWork?: string | undefined
  /** Rows that the user's own command wrote, above the status. Absent: none. */
  readonly own?: readonly Line[] | undefined
  /** The title of the last session of this folder, to go on with. */
  readonly earlier?: string | undefined
  /** Whether the working folder had no file when the conversation began. */
  readonly isEmptyFolder?: boolean | undefined
}

/** Creates an empty screen for the `provider/model` that will answer. */
export function blankScreen(size: Size, model: string, theme: ThemeName = 'dark'): Screen {
  return {
    size,
    theme,
    hasTrueColor: false,
    hasItalics: true,
    hasCursorShapes: false,
    bindings,
    look: () => ({}),
    finished: [],
    last: undefined,
    hasBegun: false,
    looks: [],
    draft: undefined,
    calls: [],
    reasons: new Map(),
    plan: undefined,
    turn: undefined,
    elves: [],
    questions: [],
    picker: undefined,
    panel: undefined,
    view: undefined,
    recent: nothingRecent,
    prompt: emptyPrompt,
    showsKeys: false,
    completion: undefined,
    search: undefined,
    queued: [],
    task: undefined,
    busySince: undefined,
    endedAs: undefined,
    heardAt: 0,
    retry: undefined,
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
