import { hasCode, isPipeError, unreachable } from '../error.ts'
import type { EventStore, StoredEvent, TaskClaim } from '../event-store.ts'
import type { TaskId } from '../id.ts'
import type { Interaction } from '../interaction.ts'
import { grants } from '../permission.ts'
import type { TaskEvent, TaskView } from '../task.ts'
import type { AttemptEnd } from './attempt.ts'

export interface ClaimedTaskOptions {
  readonly task: TaskView
  readonly claim: TaskClaim
  readonly store: Pick<EventStore, 'append'>
  /** The process that works, for people to read. */
  readonly worker: string
  /** Absolute path of the folder whose repository keeps the work. */
  readonly folder: string
  readonly onAppend: (event: StoredEvent, task: TaskView) => void
}

/** A task whose claim this worker holds. Appends at the number that it knows, so that it writes nothing once another has the task. */
export class ClaimedTask {
  readonly #options: ClaimedTaskOptions
  #seq: number
  #attempt: number

  constructor(options: ClaimedTaskOptions) {
    this.#options = options
    this.#seq = options.task.seq
    this.#attempt = options.task.attempt ?? 0
  }

  get taskId(): TaskId {
    return this.#options.task.taskId
  }

  /** Number of the last event that it knows of. */
  get seq(): number {
    return this.#seq
  }

  get attempt(): number {
    return this.#attempt
  }

  /** Begins an attempt. Returns false if the task has changed since. */
  start(sessionId: NonNullable<TaskView['sessionId']>): Promise<boolean> {
    return this.#append(this.#started({ sessionId }))
  }

  /** Appends what an attempt has come to. Returns false if the task is no longer this worker's. */
  async end(end: AttemptEnd): Promise<boolean> {
    const event = this.#eventOf(end)
    return event !== undefined && this.#append(event)
  }

  /** Whether an event of the task says that somebody else has ended or taken it. */
  isOvertakenBy({ type, payload }: StoredEvent): boolean {
    if (type === 'task_canceled') return true
    return type === 'task_started' && (payload.options?.attempt ?? 0) > this.#attempt
  }

  #started(options: object): TaskEvent {
    const { task, worker, folder } = this.#options
    const { taskId, agentId } = task
    const payload = { taskId, authorActorId: agentId, agentId }
    this.#attempt++
    return {
      type: 'task_started',
      payload: { ...payload, options: { ...options, worker, folder, attempt: this.#attempt } },
    }
  }

  #eventOf(end: AttemptEnd): TaskEvent | undefined {
    const { taskId, agentId: authorActorId } = this.#options.task
    const about = { taskId, authorActorId }
    switch (end.type) {
      case 'completed':
        return {
          type: 'task_completed',
          payload: { ...about, ...(end.summary === undefined ? {} : { summary: end.summary }) },
        }
      case 'failed':
        return { type: 'task_failed', payload: { ...about, reason: end.reason, options: { code: end.code } } }
      case 'asked': {
        const { id: interactionId, ...question } = withoutGrants(end.question)
        return { type: 'user_interaction_requested', payload: { ...about, interactionId, ...question } }
      }
      case 'left':
        return this.#started({ handedBack: true })
      case 'dropped':
        return undefined
      default:
        return unreachable(end)
    }
  }

  async #append(event: TaskEvent): Promise<boolean> {
    const { store, task, claim, onAppend } = this.#options
    if (claim.lost.aborted) return false
    try {
      // Stored even while the worker ends, but not once another may have the task.
      const stored = await store.append(task.taskId, [event], { expectedSeq: this.#seq, signal: claim.lost })
      for (const one of stored) {
        this.#seq = one.seq
        onAppend(one, task)
      }
      return true
    } catch (error) {
      if (claim.lost.aborted && isPipeError(error)) return false
      const actual = hasCode(error, 'conflict') ? error.details['actual_seq'] : undefined
      if (actual === undefined) throw error
      this.#seq = Number(actual)
      return false
    }
  }
}

/** Returns a question without the options that would allow more than the one call. */
function withoutGrants({ options, parts, withheld: _, ...question }: Interaction): Interaction {
  const granting: readonly string[] = Object.values(grants)
  const kept = options?.filter(({ id }) => !granting.includes(id))
  return {
    ...question,
    ...(kept === undefined ? {} : { options: kept }),
    ...(parts === undefined ? {} : { parts: parts.map(withoutGrants) }),
  }
}
