import { ownAgent } from '../actor.ts'
import type { Turn } from '../engine.ts'
import { exitCodes, isPipeError, type PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { SessionId } from '../id.ts'
import type { Interaction } from '../interaction.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'
import type { ChildConversation, ConversationRequest, OpenConversation } from '../open-conversation.ts'
import type { TaskView } from '../task.ts'
import type { TaskFolder, TaskFolders } from './task-folder.ts'
import { limitsLeft, TaskLimits } from './task-limits.ts'
import { composeTaskPrompt, isFinished, lastWords } from './task-prompt.ts'
import { pullTaskTurn } from './task-turn.ts'
import type { WorkHistory } from './work-history.ts'

/** A turn as scripts judge it: 0 if it did what was asked. */
export type JudgeTurn = (turn: Turn) => { readonly exitCode: number; readonly error?: PipeError }

/** Opens the conversation of a task. Writes of earlier attempts are refused from then on, where several machines share the store. */
export type OpenTaskConversation = (
  request: ConversationRequest & { readonly attempt: number },
  options: Parameters<OpenConversation>[1],
) => Promise<ChildConversation>

/** Parts of the program that attempts need. */
export interface AttemptParts {
  readonly folders: TaskFolders
  readonly open: OpenTaskConversation
  readonly judge: JudgeTurn
  /** Whether the work that the last attempt at a task has saved is in the repository here. */
  readonly isHere: (task: TaskView, options: { readonly signal: AbortSignal }) => Promise<boolean>
  /** Says something about a task in one line. */
  readonly warn: (task: TaskView, line: string) => void
}

export interface AttemptSetup extends AttemptParts {
  /** As it was before this attempt. */
  readonly task: TaskView
  readonly history: WorkHistory
  readonly sessionId: SessionId
  /** US dollars that the worker has left; `undefined`: any. */
  readonly budgetUsd: number | undefined
  /** Called with the cost of each round. */
  readonly onCost: (usd: number) => void
}

/** The end of an attempt. */
export type AttemptEnd =
  | { readonly type: 'completed'; readonly summary: string | undefined }
  | { readonly type: 'failed'; readonly reason: string; readonly code: number }
  | { readonly type: 'asked'; readonly question: Interaction }
  /** It was stopped before its end, and another worker goes on. `error`: why this worker cannot go on with any task. */
  | { readonly type: 'left'; readonly error?: PipeError }
  /** The task is no longer this worker's. */
  | { readonly type: 'dropped' }

/** The reason to stop an attempt whose task is canceled or taken over: it appends nothing. */
class Dropped extends Error {}

/** One worker's work on one task: a turn of its conversation, in a folder of its own. */
export class Attempt {
  readonly #options: AttemptSetup
  readonly #stop = new AbortController()
  #isShutdown = false
  #folder: TaskFolder | undefined

  constructor(options: AttemptSetup) {
    this.#options = options
  }

  get task(): TaskView {
    return this.#options.task
  }

  /** Stops at once, because the task is no longer this worker's. */
  drop(): void {
    this.#stop.abort(new Dropped())
  }

  /** Leaves the task to another worker: at once, or when the round has ended. */
  leave(when: 'now' | 'after the round'): void {
    this.#isShutdown = true
    if (when === 'now') this.#stop.abort(new ShutdownReason('the worker ends'))
  }

  /** Runs to its end, with all its work saved. Throws only what is a bug. */
  async run(): Promise<AttemptEnd> {
    try {
      const { task, folders, isHere, sessionId } = this.#options
      const { taskId, options = {} } = task
      const isFromElsewhere = !(await isHere(task, { signal: this.#stop.signal }))
      const asked = { taskId, sessionId, isFromElsewhere, base: options.base }
      this.#folder = await folders.open(asked, { signal: this.#stop.signal })
      return await this.#work(this.#folder)
    } catch (error) {
      return this.#endOf(error)
    }
  }

  /** Removes the folder of a task that is over. Only after its end is stored: until then another worker may need it. */
  async tidy(): Promise<void> {
    try {
      await this.#folder?.remove()
    } catch (error) {
      if (!isPipeError(error)) throw error
      this.#options.warn(this.task, error.message)
    }
  }

  async #work(folder: TaskFolder): Promise<AttemptEnd> {
    const end = await this.#inConversation(folder)
    if (end.type === 'dropped') return end
    // Nothing may stop what is saved last.
    await folder.save({ signal: new AbortController().signal })
    return end
  }

  async #inConversation(folder: TaskFolder): Promise<AttemptEnd> {
    let conversation: ChildConversation | undefined
    try {
      conversation = await this.#open(folder)
      for (const warning of conversation.warnings) this.#options.warn(this.task, warning)
      return await this.#converse(conversation, folder)
    } catch (error) {
      return this.#endOf(error)
    } finally {
      await conversation?.close()
    }
  }

  #open({ cwd }: TaskFolder): Promise<ChildConversation> {
    const { task, history, sessionId, budgetUsd, open } = this.#options
    const { model, mode, limits = {} } = task.options ?? {}
    return open(
      {
        agent: agentNameOf(task),
        model,
        mode,
        taskId: task.taskId,
        actor: task.agentId,
        cwd,
        session: sessionId,
        attempt: (task.attempt ?? 0) + 1,
        limits: limitsLeft(limits, { spentMs: history.spentMs, budgetUsd }),
      },
      { signal: this.#stop.signal },
    )
  }

  async #converse({ engine, compose }: ChildConversation, folder: TaskFolder): Promise<AttemptEnd> {
    const { task, history, judge, onCost } = this.#options
    if (isFinished(engine.history)) return { type: 'completed', summary: lastWords(engine.history) }
    const message = engine.canResume ? undefined : composeTaskPrompt(task, engine.history, compose)
    const limits = new TaskLimits(task.options?.limits ?? {}, engine)
    const { turn, question } = await pullTaskTurn({
      engine,
      message,
      stop: this.#stop,
      answer: history.answer,
      onEvent: (event) => {
        if (event.type === 'round_end' && event.costUsd !== undefined) onCost(event.costUsd)
        // Its elves spend too, but have rounds and folders of their own.
        if (event.agentId !== engine.id) return
        limits.see(event)
        return this.#see(event, folder)
      },
    })
    const stopped = question === undefined ? this.#stopped() : undefined
    if (stopped !== undefined) return stopped
    if (question !== undefined) return { type: 'asked', question }
    const { exitCode, error } = judge(turn)
    if (exitCode === 0) return { type: 'completed', summary: lastWords(engine.history) }
    if (error !== undefined && this.#isWorkers(error)) return { type: 'left', error }
    return { type: 'failed', reason: error?.message ?? 'it failed', code: exitCode }
  }

  async #see(event: AgentEvent, folder: TaskFolder): Promise<void> {
    if (event.type !== 'round_end' || event.stopReason !== 'tool_use') return
    await folder.save({ signal: this.#stop.signal })
    if (this.#isShutdown) this.leave('now')
  }

  /** Whether an error would end any task of this worker: its key or its settings are at fault, or its budget is spent. */
  #isWorkers(error: PipeError): boolean {
    const { options, agentId } = this.task
    const isUsual = options?.model === undefined && agentId === ownAgent
    const isItsModel = ['auth', 'config', 'usage'].includes(error.code)
    return (isUsual && isItsModel) || this.#isWorkersLimit(error)
  }

  /** Whether an error is about the budget of the worker, not about that of the task. */
  #isWorkersLimit({ code, details }: PipeError): boolean {
    const { budgetUsd, task } = this.#options
    if (budgetUsd === undefined || budgetUsd >= (task.options?.limits?.maxCostUsd ?? Infinity)) return false
    return (code === 'budget' && details['limit'] === 'cost') || details['field']?.endsWith('.price') === true
  }

  #endOf(error: unknown): AttemptEnd {
    if (!isPipeError(error)) throw error
    const stopped = this.#stopped()
    if (stopped === undefined && this.#isWorkers(error)) return { type: 'left', error }
    return stopped ?? { type: 'failed', reason: error.message, code: exitCodes[error.code] }
  }

  #stopped(): AttemptEnd | undefined {
    const { aborted, reason } = this.#stop.signal
    if (!aborted) return undefined
    if (reason instanceof Dropped) return { type: 'dropped' }
    return reason instanceof ShutdownReason ? { type: 'left' } : undefined
  }
}

/** Names a worker for people. */
export function workerName(pid: number, host: string): string {
  return `process ${pid} on ${host}`
}

/** Whether a worker of this name ran on a machine. */
export function isOnHost(worker: string, host: string): boolean {
  return worker.endsWith(` on ${host}`)
}

/** Returns the name of the agent definition that a task is for; `undefined` for the usual agent. */
export function agentNameOf({ agentId }: Pick<TaskView, 'agentId'>): string | undefined {
  return agentId === ownAgent ? undefined : agentId.replace(/^agent_/, '')
}
