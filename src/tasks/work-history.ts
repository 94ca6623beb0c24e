import { unreachable } from '../error.ts'
import type { StoredEvent } from '../event-store.ts'
import type { InteractionResponse } from '../interaction.ts'

/** Facts that the attempts at one task have left behind. */
export interface WorkHistory {
  /** Whether its last attempt has begun and not ended, as far as the events tell. */
  readonly isBegun: boolean
  /** Attempts in a row that ended without a word, because their workers died. */
  readonly deaths: number
  /** The answer to its last question, once there is one. */
  readonly answer?: InteractionResponse
  /** Milliseconds of its ended attempts, except those that died. */
  readonly spentMs: number
  /** When its last attempt began, in milliseconds since 1970. */
  readonly begunAt: number
}

export const noWork: WorkHistory = { isBegun: false, deaths: 0, spentMs: 0, begunAt: 0 }

/** Returns the history after an event of the task. Pure. */
export function afterEvent(before: WorkHistory, event: StoredEvent): WorkHistory {
  switch (event.type) {
    case 'task_started': {
      if (event.payload.options?.handedBack === true) return ended(before, event)
      const deaths = before.deaths + (before.isBegun ? 1 : 0)
      return { ...before, isBegun: true, deaths, begunAt: Date.parse(event.createdAt) }
    }
    case 'user_interaction_requested': {
      const { answer: _, ...asked } = ended(before, event)
      return asked
    }
    case 'user_interaction_responded': {
      const { taskId: _, authorActorId: answeredBy, ...answer } = event.payload
      return { ...before, answer: { ...answer, answeredBy } }
    }
    case 'task_created':
    case 'task_completed':
    case 'task_failed':
    case 'task_canceled':
      return before
    default:
      return unreachable(event)
  }
}

function ended(before: WorkHistory, { createdAt }: StoredEvent): WorkHistory {
  const ms = before.isBegun ? Math.max(0, Date.parse(createdAt) - before.begunAt) : 0
  return { ...before, isBegun: false, deaths: 0, spentMs: before.spentMs + ms }
}

/** Whether an event says that a worker works on its task from now on. */
export function isTaking({ type, payload }: StoredEvent): boolean {
  return type === 'task_started' && payload.options?.handedBack !== true
}
