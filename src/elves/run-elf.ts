import { ownAgent } from '../actor.ts'
import type { AgentDefinition } from '../agent-definition.ts'
import type { Elf, ElfEnd, ElfResult } from '../elf.ts'
import { PipeError } from '../error.ts'
import type { SessionId } from '../id.ts'
import type { Interaction } from '../interaction.ts'
import { hasToolCalls, textContent, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ChildConversation } from '../open-conversation.ts'
import type { ToolContext, ToolResult, ToolRun } from '../tool.ts'
import { noUsage } from '../usage.ts'
import type { Worktree } from '../worktree.ts'
import { createElf } from './conversation-elf.ts'
import type { ElvesOptions } from './options.ts'
import { describeWork, resultOf, textOf } from './result.ts'
import type { ElfCall } from './tool.ts'

export type RunCall = Extract<ElfCall, { readonly action: 'run' }>

/** An elf to run. */
export interface ElfOrder {
  readonly name: string
  readonly call: RunCall
  readonly agent: AgentDefinition
  /** Works in a folder of its own. */
  readonly isApart: boolean
  /** Receives the elf once it has begun. */
  readonly begun: (elf: Elf, compose: (text: string) => UserMessage) => void
}

/** Runs an elf to its end and returns the result for the parent's model. Throws `aborted`, and what opening a conversation throws. */
export async function* runElf(order: ElfOrder, context: ToolContext, options: ElvesOptions): ToolRun {
  const session = context.childSession ?? options.newId.session()
  const worktree = order.isApart ? await openFolder(session, context, options) : undefined
  try {
    const child = await openChild({ ...order, session, worktree }, context, options)
    const outcome = yield* converse(child, { ...order, worktree }, context)
    return yield* handOver({ ...order, ...outcome, child, worktree }, context, options)
  } finally {
    await worktree?.remove()
  }
}

async function openFolder(
  session: SessionId,
  { childSession, signal }: ToolContext,
  { worktrees }: ElvesOptions,
): Promise<Worktree> {
  if (worktrees === undefined) throw new PipeError('tool', 'there is no folder for it to work in')
  const folders = await worktrees()
  return childSession === undefined ? folders.create(session, { signal }) : folders.open(session, { signal })
}

type Opening = ElfOrder & { readonly session: SessionId; readonly worktree: Worktree | undefined }

function openChild(
  { call, session, worktree }: Opening,
  { callId, signal }: ToolContext,
  { open, sessionId, limits }: ElvesOptions,
): Promise<ChildConversation> {
  const parent = sessionId && { sessionId, callId }
  return open(
    {
      agent: call.agent,
      actor: `agent_elf_${session.slice(-12)}`,
      limits,
      session,
      ...omitUndefined({ model: call.model, cwd: worktree?.cwd, parent }),
    },
    { signal },
  )
}

interface Outcome {
  readonly result: ElfResult
  readonly end: ElfEnd
}

type Working = ElfOrder & { readonly worktree: Worktree | undefined }

/** Passes on the events of an elf and its questions, and closes its conversation. */
async function* converse(
  child: ChildConversation,
  { name, call, begun, worktree }: Working,
  { callId, signal }: ToolContext,
): AsyncGenerator<YieldOf<ToolRun>, Outcome, NextOf<ToolRun>> {
  const { engine, sessionId, model } = child
  const saved = savedResult(child)
  const elf = createElf(engine, saved === undefined ? firstMessage(child, call.prompt) : undefined, {
    signal,
  })
  const about = { elfId: elf.id, name, ...omitUndefined({ sessionId }) }
  let head: string | undefined
  let result: ElfResult | undefined = saved
  begun(elf, child.compose)
  try {
    const { agent, prompt, background } = call
    const isBackground = background ? (true as const) : undefined
    yield { type: 'elf_start', callId, ...about, agent, model, prompt, ...omitUndefined({ isBackground }) }
    result ??= yield* relay(elf, { name, agent, sessionId, worktree, signal })
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

interface Asker {
  readonly name: string
  readonly agent: string
  readonly sessionId: SessionId | undefined
  readonly worktree: Worktree | undefined
  readonly signal: AbortSignal
}

async function* relay(
  elf: Elf,
  { sessionId, worktree, signal, ...who }: Asker,
): AsyncGenerator<YieldOf<ToolRun>, ElfResult, NextOf<ToolRun>> {
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
      await worktree?.save({ signal })
      const { interaction } = event
      const asked = named(interaction, who)
      const response = yield {
        type: 'interaction',
        interaction: asked,
        ...omitUndefined({ childSession: sessionId }),
      }
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
function named(interaction: Interaction, { name, agent }: Pick<Asker, 'name' | 'agent'>): Interaction {
  const { display } = interaction
  return { ...interaction, display: { ...display, title: `${name} (${agent}): ${display.title}` } }
}

type Ended = Working & Outcome & { readonly child: ChildConversation }

/** Offers the changes of an elf to the user, and composes its result. */
async function* handOver(ended: Ended, context: ToolContext, { apply }: ElvesOptions): ToolRun {
  const { name, worktree } = ended
  const told = resultOf(ended)
  // The work of an elf that was stopped is saved too.
  const signal = context.signal.aborted ? new AbortController().signal : context.signal
  const diff = await worktree?.diff({ signal })
  if (worktree === undefined || diff === undefined || diff.files.length === 0) return told
  if (told.isError) return withNote(told, [describeWork(diff, worktree.ref, 'kept')])
  const applied = yield* apply({ name, worktree, diff }, context)
  return withNote(told, [
    describeWork(diff, worktree.ref, applied.isError ? 'kept' : 'applied'),
    textOf(applied),
  ])
}

function withNote(result: ToolResult, notes: readonly string[]): ToolResult {
  const text = notes.join('\n')
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

type YieldOf<Run> = Run extends AsyncGenerator<infer Y, unknown, unknown> ? Y : never
type NextOf<Run> = Run extends AsyncGenerator<unknown, unknown, infer N> ? N : never
