import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { AgentState, ModelChoice } from '../engine.ts'
import type { PipeError } from '../error.ts'
import type { AgentFact, StreamEvent } from '../event.ts'
import type { NewId } from '../id.ts'
import {
  type AssistantMessage,
  type ToolCallBlock,
  type ToolResultMessage,
  toolCalls,
  validateMessage,
} from '../message.ts'
import { present } from '../present.ts'
import type { Request } from '../provider.ts'
import type { ToolExecutor, ToolResult } from '../tool.ts'
import { addUsage, type StopReason, type Usage } from '../usage.ts'
import { ask } from './ask.ts'
import { batches, interrupted, runBatch } from './calls.ts'
import type { History } from './history.ts'
import type { Mailbox } from './mailbox.ts'
import { repairHistory } from './repair.ts'

/** Everything a round works with. Owned by one engine. */
export interface Agent {
  readonly history: History
  readonly mailbox: Mailbox
  readonly executor: ToolExecutor
  readonly actor: Actor
  readonly clock: Clock
  readonly newId: NewId
  readonly random: () => number
  readonly systemPrompt: string
  readonly options: Pick<Request, 'maxTokens' | 'temperature'>
  readonly choice: () => ModelChoice
  readonly enter: (state: AgentState) => AgentFact
}

/** What a turn has come to so far. */
export interface Progress {
  rounds: number
  usage: Usage
  stopReason: StopReason
  error?: PipeError
}

export interface RoundOutcome {
  readonly reply: AssistantMessage
  readonly error?: PipeError
}

export type Said = StreamEvent | AgentFact

/** Asks the model once and carries out the calls it makes. Every call has its result in the history afterwards. */
export async function* runRound(
  agent: Agent,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Said, RoundOutcome, undefined> {
  const choice = agent.choice()
  const round = progress.rounds
  yield agent.enter('thinking')
  yield { type: 'round_start', round, provider: choice.provider.name, model: choice.model }
  const { clock, random } = agent
  const { message, error } = yield* ask(choice.provider, buildRequest(agent, choice), {
    clock,
    random,
    signal,
  })
  agent.history.spend(message.usage)
  progress.usage = addUsage(progress.usage, message.usage)
  yield* takeIn(agent, message, signal)
  yield agent.enter('reflecting')
  const { stopReason, rawStopReason, usage } = message
  yield { type: 'round_end', round, stopReason, ...present({ rawStopReason }), usage }
  yield agent.enter('idle')
  return { reply: message, ...present({ error }) }
}

function buildRequest(agent: Agent, { model, thinking }: ModelChoice): Request {
  return {
    model,
    systemPrompt: agent.systemPrompt,
    messages: repairHistory(agent.history.messages),
    tools: agent.executor.tools(),
    ...agent.options,
    ...present({ thinking }),
  }
}

/** Appends a reply and carries out its calls. Whatever ends it early, each call has its result afterwards. */
async function* takeIn(
  agent: Agent,
  reply: AssistantMessage,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, void, undefined> {
  const empty = reply.content.length === 0
  if (!empty) {
    validateMessage(reply, agent.clock.now())
    await agent.history.append(reply)
  }
  const open = new Set(toolCalls(reply))
  try {
    if (!empty) yield { type: 'message', message: reply }
    yield agent.enter('toolcall')
    yield* carryOut(agent, reply, open, signal)
  } finally {
    for (const call of open) await agent.history.append(resultMessage(agent, call, interrupted))
  }
}

/** Runs the calls of a reply that ended to have them run; those of any other are answered as interrupted. */
async function* carryOut(
  agent: Agent,
  reply: AssistantMessage,
  open: Set<ToolCallBlock>,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, void, undefined> {
  if (open.size === 0) return
  await agent.history.sync()
  const { executor, mailbox, actor, clock } = agent
  const settle = async function* (call: ToolCallBlock, result: ToolResult): AsyncGenerator<AgentFact, void> {
    const message = resultMessage(agent, call, result)
    open.delete(call)
    await agent.history.append(message)
    yield { type: 'message', message }
  }
  for (const batch of reply.stopReason === 'tool_use' ? batches([...open], executor) : []) {
    if (signal.aborted) break
    const results = yield* runBatch(batch, { executor, mailbox, actor, clock, signal })
    for (const [i, call] of batch.entries()) yield* settle(call, results[i] ?? interrupted)
  }
  for (const call of open) yield* settle(call, interrupted)
}

function resultMessage(agent: Agent, call: ToolCallBlock, result: ToolResult): ToolResultMessage {
  return {
    type: 'tool_result',
    id: agent.newId.message(),
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    isError: result.isError,
    ...present({ details: result.details }),
    timestamp: new Date(agent.clock.now()).toISOString(),
  }
}
