import type { Denial } from '../../../frontend/words/denial.ts'
import type { JsonValue } from '../../../json-value.ts'

/** A finished part of a transcript. Its text is clean. */
export type PageEntry =
  | {
      readonly type: 'prompt'
      readonly text: string
      /** ISO 8601. */
      readonly time: string
      readonly notes: readonly string[]
      readonly media: readonly PageMedia[]
    }
  /** Markdown of the model. */
  | { readonly type: 'reply'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'media'; readonly media: readonly PageMedia[] }
  | { readonly type: 'note'; readonly level: 'info' | 'error'; readonly text: string }
  | EndedCall

/** An image or document. `source` is its data URL if a browser can show it without running anything. */
export interface PageMedia {
  readonly label: string
  readonly source: string | undefined
}

/** The call of a tool with its result. */
export interface EndedCall {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  /** In one line; may be empty. */
  readonly target: string
  readonly arguments: JsonValue
  readonly outcome: 'done' | 'failed' | 'interrupted'
  /** Why it was not carried out, if somebody or a rule did not allow it. */
  readonly denial?: Denial
  readonly output: string
  /** The unified diff of the file that it changed. */
  readonly diff?: string
  readonly plan?: readonly PlanItem[]
  /** The new errors that language servers found after it: how many, and the first of them. */
  readonly errors?: { readonly count: string; readonly lines: readonly string[] }
  readonly durationMs?: number
  readonly media: readonly PageMedia[]
  /** The elf that it started and waited for. */
  readonly elf?: PageElf | undefined
}

export interface PlanItem {
  readonly text: string
  readonly status: string
}

/** A call that the model writes, that waits, or that runs. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  readonly target: string
  readonly arguments: JsonValue
  readonly state: 'writing' | 'waiting' | 'running'
  /** The last characters of its output. */
  readonly output: string
}

/** An elf: an agent that a call started. */
export interface PageElf {
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly agent: string
  readonly model: string
  readonly prompt: string
  readonly state: 'working' | 'done' | 'failed' | 'stopped'
  /** Its current call in one line, else the end of what it says. */
  readonly doing: string
  readonly calls: number
  readonly isBackground: boolean
  readonly reason: string
  readonly sessionId: string
}
