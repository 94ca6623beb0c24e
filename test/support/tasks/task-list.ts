import type { Interaction } from '../../../src/interaction.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { questionId, taskId } from './task-events.ts'

type Created = Extract<TaskEvent, { readonly type: 'task_created' }>['payload']

const user = { authorActorId: 'user_local' }
const agent = { authorActorId: 'agent_pipe' }

/** The event that creates a task. */
export function created(number: number, title: string, more: Partial<Created> = {}): TaskEvent {
  const about = { ...user, taskId: taskId(number), title, intent: title }
  return {
    type: 'task_created',
    payload: { ...about, priority: 'normal', agentId: 'agent_pipe', ...more },
  }
}

export function started(number: number, agentId = 'agent_pipe'): TaskEvent {
  return { type: 'task_started', payload: { ...agent, taskId: taskId(number), agentId } }
}

export function completed(number: number, summary: string): TaskEvent {
  return { type: 'task_completed', payload: { ...agent, taskId: taskId(number), summary } }
}

export function failed(number: number, reason: string): TaskEvent {
  return { type: 'task_failed', payload: { ...agent, taskId: taskId(number), reason } }
}

export function canceled(number: number): TaskEvent {
  return { type: 'task_canceled', payload: { ...user, taskId: taskId(number) } }
}

export function answered(number: number, selectedOptionId: string): TaskEvent {
  const payload = { ...user, taskId: taskId(number), interactionId: questionId(number), selectedOptionId }
  return { type: 'user_interaction_responded', payload }
}

/** The permission that a task asks for, with the diff in it. */
export function editQuestion(number: number): Interaction {
  const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n const a = 1\n-const retries = 3\n+const tries = 3\n'
  return {
    id: questionId(number),
    kind: 'select',
    purpose: 'confirm_risky_action',
    display: { title: 'Allow edit?', content: diff, contentKind: 'diff' },
    options: [
      { id: 'allow', label: 'Yes, once' },
      { id: 'deny', label: 'No', isDefault: true },
    ],
  }
}

export function asking(number: number): TaskEvent {
  const { id: interactionId, ...question } = editQuestion(number)
  return {
    type: 'user_interaction_requested',
    payload: { ...agent, taskId: taskId(number), interactionId, ...question },
  }
}
