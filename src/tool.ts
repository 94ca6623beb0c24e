import type { Actor, Capability } from './actor.ts'
import type { ElfEnd, ElfStart } from './elf.ts'
import { PipeError, throwIfAborted } from './error.ts'
import type { AgentEvent, Notice, RulesSaved } from './event.ts'
import type { Checkpoint } from './history/checkpoint.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type ContentBlock, noOutput } from './message.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { Advice, Verdict } from './permission.ts'
import type { ChildSession } from './session.ts'

/** Says what a tool does, in the words of the Agent Client Protocol. */
export type ToolKind = 'read' | 'edit' | 'execute' | 'search' | 'fetch' | 'think' | 'other'

/** How a front end shows a call: what its row counts, and what comes below it. */
export type ToolDisplay =
  /** Counts the lines of the result. */
  | 'lines'
  /** A command, with the end of its output if it fails. */
  | 'command'
  /** The output of a command in the background. */
  | 'process'
  /** A diff of a file. */
  | 'diff'
  /** A file or folder that is changed without a diff, such as one that has another path now. */
  | 'file_change'
  /** A file that was read, or what a search found: folds with its like into one row. */
  | 'file'
  | 'matches'
  | 'files'
  /** The list of what is to be done, which has a place of its own. */
  | 'plan'
  /** The user's own answers. */
  | 'answers'
  /** The work of an elf. */
  | 'elf'
  /** All output of a command that the user ran to see it. */
  | 'output'

/** A file or folder that a call reads or changes, as the model wrote it. A folder that is written stands for all below it. */
export interface ToolPath {
  readonly path: string
  readonly access: 'read' | 'write'
  /** The file or folder that is moved or copied to this path, with all below it. Default: none. */
  readonly from?: string
}

/** A shell command that a call runs. */
export interface ToolCommand {
  readonly line: string
  /** The call asks to run it outside the sandbox. */
  readonly leavesSandbox?: boolean
}

/** How the calls of a tool look to people. */
export interface ToolLook {
  /** Default: `lines`. */
  readonly display?: ToolDisplay
  /** The word for a call that runs: `reading`. Default: `running`. */
  readonly verb?: string
  /** Says what a call acts on, in one line. Default: its first text argument. */
  target?(args: JsonValue): string
  /** The same in fewer words, where several calls share a row. Default: `target`. */
  brief?(args: JsonValue): string
}

/** Finds how calls of the tool of this name look. Empty for an unknown tool. */
export type FindLook = (name: string) => ToolLook

/**
 * States what a tool is, beside its executor: nothing else in the program knows tools by name. The guard judges every path, command and
 * address that a call states. It asks about a call that is not read-only and states none.
 */
export interface ToolFacts extends ToolLook {
  readonly name: string
  /** Default: `other`. */
  readonly kind?: ToolKind
  /** Names that other agents give this tool. Default: none. */
  readonly aliases?: readonly string[]
  /** The name by which hooks know it, which are written for other agents. Default: the first of its aliases, else its own name. */
  readonly hookName?: string
  /** Its arguments that hooks call otherwise: ours, then theirs. Default: none. */
  readonly hookArguments?: Readonly<Record<string, string>>
  /** The words of an argument that hooks say otherwise, by the argument's name here: ours, then theirs. Default: none. */
  readonly hookValues?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Says a call that is another tool's for hooks, with our names for its arguments. Default: each call is one of `hookName`. */
  hookCall?(args: JsonValue): { readonly name: string; readonly arguments: JsonValue } | undefined
  /** The tool whose ban covers this one: whoever writes for other agents has no name for this one. Default: none. */
  readonly disallowedWith?: string
  /** Starts work that its caller's agent does not limit. An agent with limits has it only where its file names it. Default: false. */
  readonly outlivesLimits?: true
  readonly capability: Capability
  /** Another capability that is enough for this call. Default: none. */
  otherCapability?(args: JsonValue): Capability | undefined
  /** Whether this call itself changes nothing, and needs no approval. */
  readOnly(args: JsonValue): boolean
  /** All paths that a call reads or writes. Default: none. */
  paths?(args: JsonValue): readonly ToolPath[]
  /** The command that a call runs; `undefined` if its arguments hold none. */
  command?(args: JsonValue): ToolCommand | undefined
  /** The text that a call sends to a running command, which may be a shell. */
  input?(args: JsonValue): string | undefined
  /** The address that a call sends a request to; `undefined` if its arguments hold none. */
  url?(args: JsonValue): string | undefined
  /** Why a call that changes something needs no permission. Default: it needs one. */
  allowance?(args: JsonValue): string | undefined
  /** Names a call as a person would ask for it: `Edit src/a.ts`. `show` writes a path. Default: `Use the tool NAME`. */
  title?(args: JsonValue, show: (path: string) => string): string
  /** Whether it changes files only through the artifact store, which keeps what they were. Default: false. */
  readonly keepsFiles?: boolean
  /** Whether this call may run beside others. Default: if it is read-only. */
  parallel?(args: JsonValue): boolean
  /** Whether this call watches something that changes by itself, so that a repetition may be a wait. Default: false. */
  looksOn?(args: JsonValue): boolean
  /** Offered only where a user can answer. */
  readonly needsUser?: true
}

/** Whether a tool edits files and states which, so that an answer about every edit covers it. */
export function editsPaths({ kind, paths }: Pick<ToolFacts, 'kind' | 'paths'>): boolean {
  return kind === 'edit' && paths !== undefined
}

/** A tool for the model (name, description, schema) and for the loop's decisions. */
export interface Tool extends ToolFacts {
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonObject
  /** Returns the result of a call whose arguments it cannot run with, so that nobody is asked about it; `undefined` for others. */
  refuse?(args: JsonValue): Promise<ToolResult | undefined>
  /**
   * Words the question that each call is, whatever the mode and the rules: only a user allows it, each time. Throws `invalid` for arguments
   * that the tool refuses. Default: calls are judged.
   */
  consent?(args: JsonValue): Promise<Interaction['display']>
  /**
   * Previews this call's changes as a unified diff for the approval question; `undefined` if its arguments are clearer. Returns the result
   * of a call that fails on what the model has read, so that nobody is asked about it. Changes nothing. Throws `aborted`.
   */
  preview?(args: JsonValue, context: ToolContext): Promise<string | ToolResult | undefined>
  /**
   * Returns the text that this call would leave in a file, for a user who wants to change it; `undefined` if there is none. Changes nothing.
   * Throws `aborted`.
   */
  revisable?(args: JsonValue, context: ToolContext): Promise<Revisable | undefined>
}

/** A text that a call would leave in a file. */
export interface Revisable {
  /** The path, as the model wrote it. */
  readonly path: string
  readonly text: string
  /** Returns the arguments that leave another text there, and what to tell the model; `undefined` if that would change nothing. */
  revised(text: string): { readonly arguments: JsonValue; readonly note: string } | undefined
}

/** Output of a running tool: text for the user, a question answered through `yield`, a report of saved files, or the work of an elf. */
export type ToolOutput =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly chunk: string }
  | {
      readonly type: 'interaction'
      readonly interaction: Interaction
      /** The real paths that the answer is about. */
      readonly judgedPaths?: readonly string[]
      /** The elf that asks, which goes on with the answer. */
      readonly child?: ChildSession
      /** Withdraws the question, which then counts as cancelled. */
      readonly withdrawn?: AbortSignal
    }
  | ({ readonly type: 'checkpoint' } & Checkpoint)
  | Notice
  | RulesSaved
  | ElfStart
  | ElfEnd
  /** An event of an elf, to pass on as it is. */
  | { readonly type: 'agent'; readonly event: AgentEvent }

/** The result for the model. `isError` means the tool reports a failure; if it could not run at all, a `tool` error is thrown. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  /** For users and audits, not for the model. */
  readonly details?: JsonValue
  /** The files, or servers, whose instructions the last block holds, which stays when the result is shortened or summarised. */
  readonly instructions?: readonly string[]
}

export interface ToolContext {
  readonly callId: string
  readonly signal: AbortSignal
  readonly actor: Actor
  /** Run commands of this call inside the sandbox. */
  readonly confined?: boolean
  /** The permission check found no sign that this call changes anything. */
  readonly changesNothing?: boolean
  /** A user has said yes to this very call. */
  readonly approved?: boolean
  /** The elf that an earlier run of this call left at a question. */
  readonly child?: ChildSession | undefined
  /** The real paths that were judged, symlinks followed, in the order of `paths`. The call must use them or fail. */
  readonly judgedPaths?: readonly string[]
  /** A hook's word on the call before it is judged. */
  readonly advice?: Advice
  /** Receives the decision on the call. Awaited before any of it runs. */
  readonly decided?: ((verdict: Verdict) => Promise<void>) | undefined
}

/** A running call: pull its output, answer questions through `next(response)`, get the result as return value. */
export type ToolRun = AsyncGenerator<ToolOutput, ToolResult, InteractionResponse | undefined>

/**
 * Runs tools. Unknown tools, invalid arguments and failing tools give results with `isError`. Throws `tool` if a tool could not
 * run at all, `aborted` when the signal fires, `permission` if the run must stop.
 */
export interface ToolExecutor {
  tools(): readonly Tool[]
  execute(name: string, args: JsonValue, context: ToolContext): ToolRun
}

/** Passes a run on with its output changed. Its questions get the answers that come back, and it ends with whoever pulls. */
export async function* withOutput(run: ToolRun, change: (output: ToolOutput) => ToolOutput): ToolRun {
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const step = await run.next(answer)
      if (step.done === true) return step.value
      answer = yield change(step.value)
    }
  } finally {
    await run.return(errorResult('interrupted'))
  }
}

/** Joins executors into one. Throws `invalid` if two of them have a tool of the same name. */
export function combine(executors: readonly ToolExecutor[]): ToolExecutor {
  const tools = () => executors.flatMap((one) => one.tools())
  const names = () => tools().map(({ name }) => name)
  const repeated = names().find((name, i, all) => all.indexOf(name) < i)
  if (repeated !== undefined) throw new PipeError('invalid', `two tools are called ${repeated}`)
  return {
    tools,
    async *execute(name, args, context) {
      const owner = executors.find((one) => one.tools().some((tool) => tool.name === name))
      if (owner !== undefined) return yield* owner.execute(name, args, context)
      throwIfAborted(context.signal)
      return errorResult(`there is no tool ${name.slice(0, 64)}; the tools are: ${names().join(', ')}`)
    },
  }
}

/** Keeps only the tools that are offered, by name. The others do not exist for the model. */
export function only(isOffered: (name: string) => boolean, executor: ToolExecutor): ToolExecutor {
  const tools = () => executor.tools().filter(({ name }) => isOffered(name))
  return combine([{ tools, execute: (name, args, context) => executor.execute(name, args, context) }])
}

/** Creates a result with one text. Marks empty output, because servers reject empty results. */
export function textResult(text: string, details?: JsonValue): ToolResult {
  return { content: [textBlock(text)], isError: false, ...omitUndefined({ details }) }
}

/** Creates a failure for the model: what went wrong and what to do instead. */
export function errorResult(text: string, details?: JsonValue): ToolResult {
  return { ...textResult(text, details), isError: true }
}

/** Appends a text for the model to a result. */
export function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text: text === '' ? noOutput : text }
}
