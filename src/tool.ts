import type { Actor, Capability } from './actor.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import type { ContentBlock } from './message.ts'
import type { Verdict } from './permission.ts'
import { present } from './present.ts'

/** A tool as the model sees it (name, description, schema) and as the loop judges it. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonObject
  readonly capability: Capability
  /** True where this call changes nothing, so that neighbours may run beside it and no one need be asked. */
  readOnly(args: JsonValue): boolean
  /** Whether this call watches something that changes by itself, so repeating it may be waiting. Default: false. */
  looksOn?(args: JsonValue): boolean
  /**
   * What this call would change, as a unified diff, for the person who is asked about it; `undefined` where its arguments say it
   * better. Changes nothing. Throws `aborted`.
   */
  preview?(args: JsonValue, context: ToolContext): Promise<string | undefined>
}

/**
 * What a tool says while it runs: output for people, a question whose answer comes back from `yield`, or that files were saved
 * before it changes some.
 */
export type ToolOutput =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly chunk: string }
  | { readonly type: 'interaction'; readonly interaction: Interaction }
  | ({ readonly type: 'checkpoint' } & Checkpoint)

/** What the model gets. `isError` is a failure the tool reports; failing to run it at all is a thrown `tool` error. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  /** For people and audits, not for the model. */
  readonly details?: JsonValue
}

export interface ToolContext {
  readonly callId: string
  readonly signal: AbortSignal
  readonly actor: Actor
  /** Commands of this call run inside the sandbox. */
  readonly confined?: boolean
  /** Whoever judged this call found nothing by which it could change anything, whatever its tool can do. */
  readonly changesNothing?: boolean
  /** Where the path that this call names led when it was judged, every symlink followed: it is carried out there, or not at all. */
  readonly judgedPath?: string
  /** Told by who judges the call, and awaited before anything of it runs. */
  readonly decided?: (verdict: Verdict) => Promise<void>
}

/** A running call: pull its output, answer its questions through `next(response)`, take the result at the end. */
export type ToolRun = AsyncGenerator<ToolOutput, ToolResult, InteractionResponse | undefined>

/**
 * Runs tools. Unknown tools, bad arguments and failing tools are results with `isError`.
 * Throws `tool` where the tool could not be run at all, `aborted` when the signal fires, `permission` where the run must stop.
 */
export interface ToolExecutor {
  tools(): readonly Tool[]
  execute(name: string, args: JsonValue, context: ToolContext): ToolRun
}

/** A result of one text; empty output is said as such, because servers refuse empty results. */
export function textResult(text: string, details?: JsonValue): ToolResult {
  return { content: [textBlock(text)], isError: false, ...present({ details }) }
}

/** A failure for the model to read: what went wrong and what to do instead. */
export function errorResult(text: string, details?: JsonValue): ToolResult {
  return { ...textResult(text, details), isError: true }
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text: text === '' ? '(no output)' : text }
}
