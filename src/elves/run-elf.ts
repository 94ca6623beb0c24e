import { ownAgent } from '../actor.ts'
import type { Elf, ElfEnd, ElfResult } from '../elf.ts'
import type { SessionId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { Worktree } from '../machine/worktree.ts'
import { hasToolCalls, textContent, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ChildConversation } from '../open-conversation.ts'
import { type ToolContext, type ToolOutput, type ToolResult, type ToolRun, withOutput } from '../tool.ts'
import { noUsage } from '../usage.ts'
import { createElf } from './conversation-elf.ts'
import type { ElvesOptions } from './elf-options.ts'
import { describeWork, resultOf, textOfResult } from './elf-result.ts'
import type { ElfCall } from './elf-tool.ts'

export type RunCall = Extract<ElfCall, { readonly action: 'run' }>

/** An elf to run. */
export interface ElfOrder {
  readonly name: string
  readonly call: RunCall
  /** Works in a folder of its own. */
  readonly isApart: boolean
  /** Receives the elf once it has started. */
  readonly onStart: (elf: Elf, compose: (text: string) => UserMessage) => void
}

/** An elf that is run: its session is chosen, and its folder made. */
interface Working extends ElfOrder {
  readonly session: SessionId
  readonly worktree: Worktree | undefined
}

/** Runs an elf to its end and returns the result for the parent's model. Throws `aborted`, and what opening a conversation throws. */
export async function* runElf(order: ElfOrder, context: ToolContext, options: ElvesOptions): ToolRun {
  const session = context.child?.sessionId ?? options.newId.session()
  const worktree = order.isApart ? await openFolder(session, context, options) : undefined
  const working = { ...order, session, worktree }
  let isOver = false
  try {
    const child = await openChild(working, context, options)
    const outcome = yield* converse(child, working, context)
    const result = yield* handOver({ ...working, ...outcome, child }, context, options)
    isOver = true
    return result
  } finally {
    // The work of an elf that was left at a question, or that broke off, goes on from what is saved.
    if (!isOver) await worktree?.save({ signal: unending() })
    await worktree?.remove()
  }
}

async function openFolder(
  session: SessionId,
  { child, signal }: ToolContext,
  { worktrees }: ElvesOptions,
): Promise<Worktree> {
  const folders = await worktrees()
  return child === undefined ? folders.create(session, { signal }) : folders.open(session, { signal })
}

function unending(): AbortSignal {
  return new AbortController().signal
}

function openChild(
  { call, session, worktree }: Working,
  { callId, signal, actor }: ToolContext,
  { open, sessionId, limits }: ElvesOptions,
): Promise<ChildConversation> {
  const parent = sessionId && { sessionId, callId }
  return open(
    {
      agent: call.agent,
      actor: `agent_elf_${session.slice(-12)}`,
      capabilities: actor.capabilities,
      limits,
      session,
      model: call.model,
      thinking: call.effort,
      cwd: worktree?.cwd,
      parent,
    },
    { signal },
  )
}

interface Outcome {
  readonly result: ElfResult
  readonly end: ElfEnd
}

/** Passes on the events of an elf and its questions, and closes its conversation. */
async function* converse(
  child: ChildConversation,
  working: Working,
  { callId, signal }: ToolContext,
): AsyncGenerator<ToolOutput, Outcome, InteractionResponse | undefined> {
  const { name, call, onStart } = working
  const { engine, sessionId, model } = child
  const saved = savedResult(child)
  const elf = createElf(engine, saved === undefined ? firstMessage(child, call.prompt) : undefined, {
    signal,
  })
  const about = { elfId: elf.id, name, ...omitUndefined({ sessionId }) }
  let head: string | undefined
  let result: ElfResult | undefined = saved
  onStart(elf, child.compose)
  try {
    const { agent, prompt, background } = call
    const isBackground = background ? (true as const) : undefined
    yield { type: 'elf_start', callId, ...about, agent, model, prompt, ...omitUndefined({ isBackground }) }
    result ??= yield* relay(elf, working, signal)
  } finally {
    head = await child.close()
  }
  const { stopReason, rounds, usage, costUsd, error } = result
  const more = omitUndefined({ costUsd, reason: error?.message, auditHead: head })
  const end: ElfEnd = { type: 'elf_end', ...about, stopReason, rounds, usage, ...more }
  yield end
  return { result, end }
}

/** The result of an elf that had ended before its parent was interrupted. */
function savedResult({ engine }: ChildConversation): ElfResult | undefined {
  const last = engine.history.at(-1)
  if (engine.canResume || last?.type !== 'assistant' || hasToolCalls(last)) return undefined
  return { text: textContent(last), stopReason: last.stopReason, rounds: 0, usage: noUsage }
}

/** The message to begin with; none if it goes on at an open question. */
function firstMessage({ engine, compose }: ChildConversation, prompt: string): UserMessage | undefined {
  if (engine.canResume) return undefined
  return compose(engine.history.length === 0 ? prompt : 'You were interrupted. Go on.')
}

async function* relay(
  elf: Elf,
  working: Working,
  signal: AbortSignal,
): AsyncGenerator<ToolOutput, ElfResult, InteractionResponse | undefined> {
  const events = elf.events()
  let isOver = false
  try {
    for (;;) {
      const step = await events.next()
      if (step.done === true) {
        isOver = true
        return step.value
      }
      const event = step.value
      yield { type: 'agent', event }
      if (event.type !== 'interaction_requested' || event.agentId !== elf.id) continue
      // Another machine may go on from here.
      await working.worktree?.save({ signal })
      const { interaction } = event
      const response = yield asking(named(interaction, working), working, signal)
      if (signal.aborted) continue
      elf.send({
        type: 'respond',
        response: response ?? { interactionId: interaction.id, answeredBy: ownAgent, cancelled: true },
      })
    }
  } finally {
    // The signal that ended the parent's call has stopped the elf.
    if (!isOver) await events.return(interruptedResult)
  }
}

const interruptedResult: ElfResult = { text: '', stopReason: 'aborted', rounds: 0, usage: noUsage }

/** Puts the name of the elf before its question. */
function named(interaction: Interaction, { name, call: { agent } }: Working): Interaction {
  const { display } = interaction
  return { ...interaction, display: { ...display, title: `${name} (${agent}): ${display.title}` } }
}

/** Asks a question from which the elf goes on in a later run, until it is stopped. */
function asking(
  interaction: Interaction,
  { name, session: sessionId }: Working,
  withdrawn: AbortSignal,
): Extract<ToolOutput, { readonly type: 'interaction' }> {
  return { type: 'interaction', interaction, child: { sessionId, name }, withdrawn }
}

type Ended = Working & Outcome & { readonly child: ChildConversation }

/** Offers the changes of an elf to the user, and composes its result. Forgets its folder if there is nothing left in it. */
async function* handOver(ended: Ended, context: ToolContext, { apply, worktrees }: ElvesOptions): ToolRun {
  const { name, session, worktree } = ended
  const told = resultOf(ended)
  if (worktree === undefined) return told
  // The work of an elf that was stopped is saved too.
  const signal = context.signal.aborted ? unending() : context.signal
  const diff = await worktree.diff({ signal })
  const forget = async () => (await worktrees()).discard(session, { signal })
  if (diff.files.length === 0) {
    await forget()
    return told
  }
  if (told.isError) return withNote(told, [describeWork(diff, worktree.ref, 'kept')])
  const applied = yield* resumable(apply({ name, worktree, diff }, context), ended, context.signal)
  if (applied.isError)
    return withNote(told, [describeWork(diff, worktree.ref, 'kept'), textOfResult(applied)])
  await forget()
  return withNote(told, [describeWork(diff, worktree.ref, 'applied')])
}

/** Asks the questions of the merge as those of the elf, so that a later run finds its work. */
function resumable(run: ToolRun, working: Working, signal: AbortSignal): ToolRun {
  return withOutput(run, (output) =>
    output.type === 'interaction' ? { ...output, ...asking(output.interaction, working, signal) } : output,
  )
}

function withNote(result: ToolResult, notes: readonly string[]): ToolResult {
  const text = [textOfResult(result), ...notes].join('\n')
  return { ...result, content: [{ type: 'text', text }] }
}
