import { isDiskFull, throwIfAborted } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { newMessage, textMessage } from '../../history/new-message.ts'
import {
  type AssistantMessage,
  calledField,
  type Message,
  type ToolCallBlock,
  textContent,
  type UserMessage,
} from '../../message.ts'
import type { ToolResult } from '../../tool.ts'
import type { CalledCall, CalledTurn, CalledWork, HandedOver } from '../../turn-hooks.ts'
import { noUsage } from '../../usage.ts'
import type { Agent, CallStep, Progress, TurnStep } from '../agent.ts'
import { callContextOf, resultMessage } from '../calls/answer-calls.ts'
import { runCall } from '../calls/run-call.ts'

interface Calling {
  /** In the session already, so that nothing that happens here loses it. */
  readonly message: UserMessage
  /** Whether an elf may answer in place of the model. Else the model gets its answer. */
  readonly mayAnswer: boolean
}

/**
 * Does what the file of a skill or command asks for that a message calls: its model and rules count until the turn ends, and its commands
 * run. Returns the answer of an elf that did the whole work. Throws `aborted`, and what ends a turn.
 */
export async function* doCalledWork(
  agent: Agent,
  { message, mayAnswer }: Calling,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<TurnStep, AssistantMessage | undefined, undefined> {
  const work = agent.called?.of(message)
  if (work === undefined) return undefined
  const begun = await work.begin(agent.choice())
  progress.called.push(begun)
  if (begun.choice !== undefined) agent.lend(begun.choice)
  for (const text of begun.notices) yield { type: 'notice', text }
  if (work.calls.length === 0 && work.handedOver === undefined) return undefined
  yield agent.enter('thinking')
  yield agent.enter('toolcall')
  const done: Done = { results: [] }
  let told: UserMessage | undefined
  try {
    yield* runWork(agent, { ...work, begun }, done, signal)
  } finally {
    if (!mayAnswer || !isAnswered(done)) {
      told = { ...textMessage(textOf(work, done), agent), metadata: { [calledField]: 'true' } }
      await agent.history.append(told)
    }
  }
  if (told !== undefined) yield { type: 'message', message: told }
  yield agent.enter('reflecting')
  yield agent.enter('idle')
  throwIfAborted(signal)
  yield* tellFailures(work, done)
  return told === undefined ? yield* answer(agent, work, done, progress) : undefined
}

/** Keeps the part of a work that is done. */
interface Done {
  readonly results: ToolResult[]
  /** The result of the elf. */
  handed?: ToolResult
}

function isAnswered({ handed }: Done): boolean {
  return handed?.isError === false
}

async function* runWork(
  agent: Agent,
  { calls, text, handedOver, begun }: CalledWork & { readonly begun: CalledTurn },
  done: Done,
  signal: AbortSignal,
): AsyncGenerator<CallStep, void, undefined> {
  for (const call of calls) {
    if (signal.aborted) return
    done.results.push(yield* runOwn(agent, call, signal))
  }
  if (handedOver === undefined || signal.aborted) return
  done.handed = yield* runOwn(agent, handedOver.call(text(done.results), begun), signal)
}

/** Runs a call that no reply holds. The audit log has it as one of the agent. */
async function* runOwn(
  agent: Agent,
  { name, arguments: args }: CalledCall,
  signal: AbortSignal,
): AsyncGenerator<CallStep, ToolResult, undefined> {
  const call: ToolCallBlock = { type: 'tool_call', id: agent.newId.toolCall(), name, arguments: args }
  record(agent, {
    ...newMessage(agent),
    type: 'assistant',
    content: [call],
    stopReason: 'tool_use',
    usage: noUsage,
  })
  try {
    const result = yield* runCall(call, callContextOf(agent, signal))
    record(agent, resultMessage(agent, call, result))
    return result
  } finally {
    agent.questions.forget(call.id)
  }
}

/** Writes to the audit log what the session holds in another form. */
function record({ trail }: Agent, message: Exclude<Message, UserMessage>): void {
  try {
    trail?.note({ type: 'message', message })
  } catch (error) {
    // The entry waits in memory, and without a permission on disk nothing runs.
    if (!isDiskFull(error)) throw error
  }
}

function textOf({ name, text, handedOver }: CalledWork, { results, handed }: Done): string {
  if (handedOver === undefined || handed === undefined) return text(results)
  if (handed.isError)
    return `${text(results)}\n\n[An elf was to do this, and could not: ${textContent(handed)}]`
  return `An elf did the work of ${name}. Its answer:\n\n${handedOver.answer(handed).text}`
}

function* tellFailures(
  { name, calls }: CalledWork,
  { results, handed }: Done,
): Generator<AgentFact, void, undefined> {
  for (const [at, { isError }] of results.entries()) {
    const command = calls[at]?.arguments['command']
    if (isError) yield { type: 'notice', text: `a command of ${name} failed: ${String(command)}` }
  }
  if (handed?.isError === true)
    yield { type: 'notice', text: `the elf that ${name} asks for failed, so the conversation does its work` }
}

/** Lets the answer of the elf be that of the turn, as a round of its own. */
async function* answer(
  agent: Agent,
  { handedOver }: { readonly handedOver?: HandedOver },
  { handed }: Done,
  progress: Progress,
): AsyncGenerator<TurnStep, AssistantMessage | undefined, undefined> {
  if (handedOver === undefined || handed === undefined) return undefined
  const { text, provider, model } = handedOver.answer(handed)
  const round = progress.rounds++
  const about = { provider: provider ?? agent.choice().provider.name, model: model ?? agent.choice().model }
  const message: AssistantMessage = {
    ...newMessage(agent),
    ...about,
    type: 'assistant',
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: noUsage,
  }
  progress.stopReason = 'end_turn'
  yield agent.enter('thinking')
  yield { type: 'round_start', round, ...about, reason: 'an elf did the work' }
  yield { type: 'text_delta', id: message.id, delta: text }
  await agent.history.append(message)
  yield { type: 'message', message }
  yield agent.enter('toolcall')
  yield agent.enter('reflecting')
  yield { type: 'round_end', round, stopReason: 'end_turn', usage: noUsage }
  yield agent.enter('idle')
  return message
}
