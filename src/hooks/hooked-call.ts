import type { JsonValue } from '../json-value.ts'
import type { Tool, ToolContext } from '../tool.ts'
import type { FileChanges } from './file-changes.ts'
import type { HookRunner } from './hook-runner.ts'
import { namesOf, peerCall } from './peer-call.ts'

export interface HookedOptions {
  readonly hooks: HookRunner
  readonly changes: FileChanges
  readonly cwd: string
  readonly home: string
  /** Ends the turn after its calls, for this reason. */
  readonly stop: (reason: string) => void
  /** Sets the mode of this word, which the hook of this name wants. Returns what to tell the user, if anything. */
  readonly setMode: (word: string, by: string) => string | undefined
}

export interface AskedCall {
  readonly tool: Tool
  readonly args: JsonValue
  readonly context: ToolContext
  readonly tools: readonly Tool[]
}

/** Describes a call to hooks: its names for their matchers, and its fields. */
export function callFields({ tool, args, context, tools }: AskedCall, options: HookedOptions) {
  const { name, input } = peerCall(tool, args, options)
  return {
    names: namesOf(tool, tools),
    callId: context.callId,
    call: { tool, args },
    input: { tool_name: name, tool_input: input, tool_use_id: context.callId },
  }
}
