import type { Actor } from '../../actor.ts'
import { resultWithoutTags } from '../../characters/tag-characters.ts'
import type { Clock } from '../../clock.ts'
import { isDiskFull, isPipeError, PipeError } from '../../error.ts'
import type { InteractionResponse } from '../../interaction.ts'
import { isJson, maxArgumentLevels } from '../../json-value.ts'
import { isShutdown } from '../../machine/shutdown-reason.ts'
import type { ToolCallBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Verdict } from '../../permission.ts'
import type { ChildSession, PendingQuestion } from '../../session.ts'
import {
  errorResult,
  type Tool,
  type ToolExecutor,
  type ToolOutput,
  type ToolResult,
  type ToolRun,
} from '../../tool.ts'
import type { CallStep } from '../agent.ts'
import type { Mailbox } from '../mailbox.ts'
import { type CallQuestion, readdress } from '../open-questions.ts'
import { interruptedText } from '../turn/repair.ts'
import type { AuditTrail } from './audit-trail.ts'

export interface CallContext {
  readonly executor: ToolExecutor
  readonly mailbox: Mailbox
  readonly questions: CallQuestions
  readonly actor: Actor
  readonly trail: AuditTrail | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Opens and closes the questions of calls. Each change is on disk when its promise resolves, unless the disk is full. */
export interface CallQuestions {
  /** Opens a question of a call, or again the one that an earlier run has asked. */
  open(call: ToolCallBlock, question: CallQuestion): Promise<PendingQuestion>
  /** The elf that asks the question that an earlier run left open. */
  childOf(call: ToolCallBlock): ChildSession | undefined
  /** Closes it, so that no later run carries out the call again, unless the call asks another one. */
  answer(call: ToolCallBlock, response: InteractionResponse): Promise<void>
}

/** The result of a call that was not carried out to its end. */
export const interrupted: ToolResult = errorResult(interruptedText)

/** Finds the tool of a call. Ignores case if no exact name matches, as models trained on other tools vary it. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  const isNamed = (tool: Tool) => tool.name.toLowerCase() === name.toLowerCase()
  return tools.find((tool) => tool.name === name) ?? tools.find(isNamed)
}

/**
 * Runs one call: yields its start, output, questions and end, and returns its result, after an abort `interrupted`. Throws what the
 * tool throws, and `aborted` if the process ends at an open question, which then waits for the next run.
 */
export async function* runCall(
  call: ToolCallBlock,
  context: CallContext,
): AsyncGenerator<CallStep, ToolResult, undefined> {
  const { clock, executor } = context
  const started = clock.monotonic()
  const name = findTool(executor.tools(), call.name)?.name ?? call.name
  yield { type: 'tool_start', callId: call.id, name, arguments: call.arguments }
  const { result: given, waitedMs } =
    call.argumentsRaw === undefined
      ? yield* runTool({ ...call, name }, context)
      : { result: refuseBroken(call), waitedMs: 0 }
  const result = resultWithoutTags(given)
  const { isError, details, instructions } = result
  // People see what the tool gave.
  const content = instructions === undefined ? result.content : result.content.slice(0, -1)
  const durationMs = Math.round(clock.monotonic() - started - waitedMs)
  yield { type: 'tool_end', callId: call.id, isError, content, ...omitUndefined({ details }), durationMs }
  return result
}

/** How a tool ended. */
interface Outcome {
  readonly result: ToolResult
  /** Milliseconds of waiting for answers, which are not the tool’s own. */
  readonly waitedMs: number
}

async function* runTool(
  call: ToolCallBlock,
  context: CallContext,
): AsyncGenerator<CallStep, Outcome, undefined> {
  const { clock, signal } = context
  const run = startTool(call, context)
  let waitedMs = 0
  let answer: InteractionResponse | undefined
  try {
    for (;;) {
      const { done, value } = await run.next(answer)
      if (done === true) return { result: value, waitedMs }
      answer = undefined
      if (value.type !== 'interaction') {
        yield value.type === 'output' ? { ...value, type: 'tool_output', callId: call.id } : value
        continue
      }
      const asked = clock.monotonic()
      answer = yield* askUser(call, value, context)
      waitedMs += clock.monotonic() - asked
      if (signal.aborted) return { result: interrupted, waitedMs }
    }
  } catch (error) {
    return { result: resultOfFailure(error, signal), waitedMs }
  } finally {
    await run.return(interrupted)
  }
}

function startTool(call: ToolCallBlock, { executor, questions, actor, trail, signal }: CallContext): ToolRun {
  const decided = trail && ((verdict: Verdict) => recordVerdict(trail, call, verdict))
  const child = questions.childOf(call)
  const about = { decided, child }
  return executor.execute(call.name, call.arguments, { callId: call.id, signal, actor, ...about })
}

/** Writes a decision to the audit log. Throws `VerdictUnrecorded` on a full disk, and the log’s other errors. */
async function recordVerdict(trail: AuditTrail, call: ToolCallBlock, verdict: Verdict): Promise<void> {
  try {
    await trail.decided(call.id, verdict)
  } catch (error) {
    throw isDiskFull(error) ? new VerdictUnrecorded(error) : error
  }
}

/** Yields a question of a call and returns its answer. Throws `QuestionLeft` if the process ends before it is answered. */
async function* askUser(
  call: ToolCallBlock,
  asked: Extract<ToolOutput, { readonly type: 'interaction' }>,
  { questions, mailbox, signal }: CallContext,
): AsyncGenerator<CallStep, InteractionResponse, undefined> {
  const { interaction, response: stored } = await questions.open(call, asked)
  const until = asked.withdrawn === undefined ? signal : AbortSignal.any([signal, asked.withdrawn])
  // Opened before anyone sees the question, as the answer may come at once.
  const response = stored ?? mailbox.open(interaction, until)
  if (stored === undefined) yield { type: 'interaction_requested', interaction, callId: call.id }
  const given = await response
  if (isShutdown(signal)) throw new QuestionLeft()
  await questions.answer(call, given)
  yield { type: 'interaction_responded', response: given, callId: call.id }
  return readdress(given, interaction, asked.interaction)
}

/** Turns the error of a tool into a result for the model. Throws errors that end the turn. */
function resultOfFailure(error: unknown, signal: AbortSignal): ToolResult {
  if (error instanceof QuestionLeft) throw error
  if (signal.aborted && isPipeError(error)) return interrupted
  if (error instanceof VerdictUnrecorded) return refuseUnrecorded(error)
  throw error
}

/** Ends a call whose question waits for the next run. */
class QuestionLeft extends PipeError {
  constructor() {
    super('aborted', 'the question stays open for the next run')
  }
}

/** A decision could not be written to the audit log because the disk is full. */
class VerdictUnrecorded extends PipeError {
  constructor({ code, message, details, cause }: PipeError) {
    super(code, message, { details, cause })
  }
}

function refuseUnrecorded({ message }: VerdictUnrecorded): ToolResult {
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
