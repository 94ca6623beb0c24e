import { isDiskFull } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { newMessage } from '../../history/new-message.ts'
import { isShutdown } from '../../machine/shutdown-reason.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  instructionField,
  type ToolCallBlock,
  type ToolResultMessage,
  toolCalls,
} from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type ToolResult, withText } from '../../tool.ts'
import type { Agent, CallStep } from '../agent.ts'
import type { CarriedCall, Repetition } from '../request/repetition.ts'
import { batches, looksOn, runBatch, type Settle } from './call-batches.ts'
import { type CallContext, interrupted } from './run-call.ts'

export interface CallAnswers {
  readonly reply: AssistantMessage
  /** Its calls that have no result yet. */
  readonly calls: readonly ToolCallBlock[]
  readonly repetition: Repetition
  /** An earlier run has started the calls, and ended at an open question of one. */
  readonly isResumed: boolean
}

/**
 * Announces a reply of the history and runs its calls if it ended with `tool_use`. Afterwards each call has a result, perhaps that it was
 * interrupted. Only when the process ends at an open question, that call and those after it wait for the next run.
 */
export async function* answerCalls(
  agent: Agent,
  answering: CallAnswers,
  signal: AbortSignal,
): AsyncGenerator<CallStep, void, undefined> {
  const { reply, calls, isResumed } = answering
  const { history, questions } = agent
  const open = new Set(calls)
  const started = new Set<ToolCallBlock>()
  try {
    if (!isResumed && reply.content.length > 0) yield { type: 'message', message: reply }
    yield agent.enter('toolcall')
    if (calls.length === 0) return
    await history.sync()
    yield* runCalls(agent, answering, { open, started }, signal)
  } finally {
    const waits = isShutdown(signal) && calls.some(({ id }) => questions.has(id))
    for (const call of open) {
      if (waits && (questions.has(call.id) || !started.has(call))) continue
      questions.forget(call.id)
      await history.append(resultMessage(agent, call, interrupted))
    }
  }
}

interface Progress {
  readonly open: Set<ToolCallBlock>
  /** Calls of the batches that were started. */
  readonly started: Set<ToolCallBlock>
}

async function* runCalls(
  agent: Agent,
  { reply, calls, repetition, isResumed }: CallAnswers,
  { open, started }: Progress,
  signal: AbortSignal,
): AsyncGenerator<CallStep, void, undefined> {
  const { executor, history, questions, clock } = agent
  const context = callContextOf(agent, signal)
  const startedAt = clock.monotonic()
  const isWatching = looksOn(reply, executor)
  const carried: CarriedCall[] = []
  const saved = new Map<ToolCallBlock, ToolResultMessage>()
  const save = async (call: ToolCallBlock, result: ToolResult) => {
    const message = resultMessage(agent, call, result)
    open.delete(call)
    saved.set(call, message)
    questions.forget(call.id)
    await history.append(message)
  }
  const settle: Settle = async (call, result) => {
    carried.push({ call, result })
    const wait = { durationMs: clock.monotonic() - startedAt, looksOn: isWatching }
    const note = open.size === 1 ? await repetition.note(ordered(carried, calls), wait) : undefined
    await save(call, note === undefined ? result : withText(result, `\n\n${note}`))
  }
  for (const batch of reply.stopReason === 'tool_use' ? openBatches(reply, open, agent) : []) {
    if (signal.aborted) break
    for (const call of batch) started.add(call)
    // A call beside the one that asks may have run, so it is not run again.
    const isFirst = started.size === batch.length
    const runnable = isResumed && isFirst ? batch.filter(({ id }) => questions.has(id)) : batch
    let failure: { readonly error: unknown } | undefined
    try {
      yield* runBatch(runnable, context, settle)
      for (const call of batch) if (open.has(call)) await save(call, interrupted)
    } catch (error) {
      failure = { error }
    }
    // Calls that ended before another failed have a result, which the audit log must not miss.
    for (const call of batch) yield* announced(saved.get(call))
    if (failure !== undefined) throw failure.error
  }
  for (const call of open) await save(call, interrupted)
  for (const call of calls) if (!started.has(call)) yield* announced(saved.get(call))
}

function announced(message: ToolResultMessage | undefined): readonly AgentFact[] {
  return message === undefined ? [] : [{ type: 'message', message }]
}

/** Returns what a call of this agent runs with. */
export function callContextOf(
  { executor, mailbox, questions, history, actor, clock, trail }: Agent,
  signal: AbortSignal,
): CallContext {
  const save = async () => {
    try {
      await history.saveQuestions()
    } catch (error) {
      // On a full disk a question does not outlive the process, but it can be asked and answered.
      if (!isDiskFull(error)) throw error
    }
  }
  return {
    executor,
    mailbox,
    actor,
    clock,
    trail,
    signal,
    questions: {
      open: async (call, question) => {
        const opened = await questions.open(call, question)
        await save()
        return opened
      },
      childOf: (call) => questions.childOf(call.id),
      answer: async (call, response) => {
        questions.answer(call.id, response)
        await save()
      },
    },
  }
}

/** The batches of a reply, without the calls that have a result. */
function openBatches(
  reply: AssistantMessage,
  open: ReadonlySet<ToolCallBlock>,
  { executor }: Agent,
): readonly (readonly ToolCallBlock[])[] {
  const left = batches(toolCalls(reply), executor).map((batch) => batch.filter((call) => open.has(call)))
  return left.filter(({ length }) => length > 0)
}

function ordered(carried: readonly CarriedCall[], calls: readonly ToolCallBlock[]): CarriedCall[] {
  return carried.toSorted((a, b) => calls.indexOf(a.call) - calls.indexOf(b.call))
}

/** Returns the content of a result without appended notes. */
export function withoutNotes(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.filter((block, i) => i === 0 || block.type !== 'text' || !block.text.startsWith('\n\n['))
}

/** Returns the message that holds the result of a call. */
export function resultMessage(agent: Agent, call: ToolCallBlock, result: ToolResult): ToolResultMessage {
  return {
    type: 'tool_result',
    ...newMessage(agent),
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    isError: result.isError,
    ...omitUndefined({ details: result.details }),
    ...(result.instructions !== undefined && {
      metadata: { [instructionField]: result.instructions.join('\n') },
    }),
  }
}
