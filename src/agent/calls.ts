import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { isDiskFull, isPipeError, PipeError } from '../error.ts'
import type { InteractionResponse } from '../interaction.ts'
import { isJson, maxArgumentLevels } from '../json-value.ts'
import { isLeaving } from '../leaving.ts'
import { type AssistantMessage, type ToolCallBlock, toolCalls } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Verdict } from '../permission.ts'
import type { ChildSession, PendingQuestion } from '../session.ts'
import { resultWithoutTags } from '../text/tag-characters.ts'
import { errorResult, type Tool, type ToolExecutor, type ToolResult } from '../tool.ts'
import type { CallStep } from './agent.ts'
import { linkAbort } from './linked-abort.ts'
import type { Mailbox } from './mailbox.ts'
import { merge } from './merge.ts'
import { type CallQuestion, readdress } from './open-questions.ts'
import { interruptedText } from './repair.ts'
import type { Trail } from './trail.ts'

export interface CallContext {
  readonly executor: ToolExecutor
  readonly mailbox: Mailbox
  readonly questions: CallQuestions
  readonly actor: Actor
  readonly trail: Trail | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Opens and closes the questions of calls. Each change is on disk when its promise resolves. */
export interface CallQuestions {
  /** Opens a question of a call, or again the one that an earlier run has asked. */
  open(call: ToolCallBlock, question: CallQuestion): Promise<PendingQuestion>
  /** The elf that asks the question that an earlier run left open. */
  childOf(call: ToolCallBlock): ChildSession | undefined
  /** Closes it, so that no later run carries out the call again, unless the call asks another one. */
  answer(call: ToolCallBlock, response: InteractionResponse): Promise<void>
}

export const interrupted: ToolResult = errorResult(interruptedText)

/** Groups calls into batches that may run at once: adjacent parallel calls together, each other call alone. */
export function batches(calls: readonly ToolCallBlock[], executor: ToolExecutor): ToolCallBlock[][] {
  const tools = executor.tools()
  const result: ToolCallBlock[][] = []
  let open = false
  for (const call of calls) {
    const tool = findTool(tools, call.name)
    const parallel = (tool?.parallel?.(call.arguments) ?? tool?.readOnly(call.arguments)) === true
    const last = result.at(-1)
    if (parallel && open && last !== undefined) last.push(call)
    else result.push([call])
    open = parallel
  }
  return result
}

/** Whether all calls of a reply watch something that changes on its own. */
export function looksOn(reply: AssistantMessage, executor: ToolExecutor): boolean {
  const tools = executor.tools()
  return toolCalls(reply).every((call) => findTool(tools, call.name)?.looksOn?.(call.arguments) ?? false)
}

/** Finds the tool of a call. Ignores case if no exact name matches, as models trained on other tools vary it. */
function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  const named = (tool: Tool) => tool.name.toLowerCase() === name.toLowerCase()
  return tools.find((tool) => tool.name === name) ?? tools.find(named)
}

/** Saves the result of a call when it has ended. */
export type Settle = (call: ToolCallBlock, result: ToolResult) => Promise<void>

/** Runs the calls of one batch at once and settles each when it ends. Throws what a tool throws, after ending the others. */
export async function* runBatch(
  calls: readonly ToolCallBlock[],
  context: CallContext,
  settle: Settle,
): AsyncGenerator<CallStep, void, undefined> {
  const [first, ...others] = calls
  if (first !== undefined && others.length === 0) return yield* runAndSettle(first, context, settle)
  const { controller, unlink } = linkAbort(context.signal)
  const inner = { ...context, signal: controller.signal }
  try {
    yield* merge(
      calls.map((call) => runAndSettle(call, inner, settle)),
      () => controller.abort(),
    )
  } finally {
    unlink()
  }
}

async function* runAndSettle(
  call: ToolCallBlock,
  context: CallContext,
  settle: Settle,
): AsyncGenerator<CallStep, void, undefined> {
  await settle(call, yield* runCall(call, context))
}

async function* runCall(
  call: ToolCallBlock,
  context: CallContext,
): AsyncGenerator<CallStep, ToolResult, undefined> {
  const started = context.clock.monotonic()
  const waiting: Waiting = { ms: 0 }
  const name = findTool(context.executor.tools(), call.name)?.name ?? call.name
  yield { type: 'tool_start', callId: call.id, name, arguments: call.arguments }
  const given =
    call.argumentsRaw === undefined ? yield* drive({ ...call, name }, context, waiting) : refuseBroken(call)
  const result = resultWithoutTags(given)
  const { content, isError, details } = result
  const durationMs = Math.round(context.clock.monotonic() - started - waiting.ms)
  yield { type: 'tool_end', callId: call.id, isError, content, ...omitUndefined({ details }), durationMs }
  return result
}

/** Time that a call has waited for an answer, which is not the tool’s own. */
interface Waiting {
  ms: number
}

/** Runs a tool, yields its output and puts its questions to the user. Returns `interrupted` after an abort. */
async function* drive(
  call: ToolCallBlock,
  { executor, mailbox, questions, actor, clock, trail, signal }: CallContext,
  waiting: Waiting,
): AsyncGenerator<CallStep, ToolResult, undefined> {
  let unkept: unknown
  const decided =
    trail &&
    (async (verdict: Verdict) => {
      try {
        await trail.decided(call.id, verdict)
      } catch (error) {
        unkept = error
        throw error
      }
    })
  const child = questions.childOf(call)
  const toolContext = { callId: call.id, signal, actor, ...omitUndefined({ decided, child }) }
  const run = executor.execute(call.name, call.arguments, toolContext)
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const step = await run.next(answer)
      if (step.done === true) return step.value
      answer = undefined
      if (step.value.type === 'output') {
        yield { type: 'tool_output', callId: call.id, stream: step.value.stream, chunk: step.value.chunk }
      } else if (step.value.type === 'interaction') {
        const asked = clock.monotonic()
        const { interaction, response: stored } = await questions.open(call, step.value)
        const { withdrawn } = step.value
        const until = withdrawn === undefined ? signal : AbortSignal.any([signal, withdrawn])
        const response = stored ?? mailbox.open(interaction, until)
        if (stored === undefined) yield { type: 'interaction_requested', interaction, callId: call.id }
        const given = await response
        waiting.ms += clock.monotonic() - asked
        if (isLeaving(signal)) throw left
        await questions.answer(call, given)
        yield { type: 'interaction_responded', response: given, callId: call.id }
        if (signal.aborted) return interrupted
        answer = readdress(given, interaction, step.value.interaction)
      } else {
        yield step.value
      }
    }
  } catch (error) {
    if (error === left) throw error
    if (signal.aborted && isPipeError(error)) return interrupted
    if (error === unkept && isDiskFull(error)) return refuseUnkept(error)
    throw error
  } finally {
    await run.return(interrupted)
  }
}

/** Ends a call whose question waits for the next run. */
const left = new PipeError('aborted', 'the question waits for the next run')

function refuseUnkept({ message }: PipeError): ToolResult {
  return errorResult(
    `Nothing was run: what a call may do must be in the audit log first, and that is not possible now: ${message}. Other calls fail too until there is room. Tell the user.`,
  )
}

function refuseBroken({ name, argumentsRaw = '' }: ToolCallBlock): ToolResult {
  const shown = argumentsRaw.slice(0, 200)
  const fault = isJson(argumentsRaw) ? `nested deeper than ${maxArgumentLevels} levels` : 'not valid JSON'
  return errorResult(
    `The arguments of ${name} are ${fault}, so it was not run: ${shown}\nSend the call again.`,
  )
}
