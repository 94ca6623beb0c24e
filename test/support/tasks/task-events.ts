import type { StoredEvent } from '../../../src/event-store.ts'
import { createNewId, type InteractionId, type TaskId } from '../../../src/id.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { now, timestamp } from '../messages/messages.ts'

/** Ids that contain their number. */
const numbered = (number: number) =>
  createNewId(
    (bytes) => new Uint8Array(bytes).fill(number, bytes - 1),
    () => now,
  )

/** A task id that begins with `AAAA` and ends in its number. */
export const taskId = (number: number): TaskId =>
  createNewId(
    (bytes) => new Uint8Array(bytes).fill(number, Math.max(1, bytes - 1)),
    () => now,
  ).task()
export const questionId = (number: number): InteractionId => numbered(number).interaction()

const author = { authorActorId: 'user_local' }
const agent = { authorActorId: 'agent_pipe' }

/** One event of each type about a task, with every field that may be there. */
export function fullEvents(id: TaskId = taskId(1)): readonly TaskEvent[] {
  return [
    {
      type: 'task_created',
      payload: {
        ...author,
        taskId: id,
        title: 'Löwe',
        intent: 'Löwe\n\nsee 🦁',
        priority: 'background',
        agentId: 'agent_pipe',
        artifactRefs: [
          { kind: 'file_range', path: 'src/a.ts', lineStart: 10, lineEnd: 40 },
          { kind: 'outline_anchor', sectionId: 'plan.md#goals' },
          { kind: 'asset', assetId: 'logo' },
          { kind: 'citation', citeKey: 'knuth84' },
        ],
        options: {
          repo: 'b'.repeat(40),
          base: 'a'.repeat(40),
          folder: '/home/ada/project',
          model: 'acme/large',
          mode: 'auto',
          limits: { maxRounds: 3, maxTokens: 1_000, maxCostUsd: 0.5, maxTimeMs: 60_000 },
          after: taskId(8),
          parentTaskId: taskId(9),
          retryOf: taskId(7),
        },
      },
    },
    {
      type: 'task_started',
      payload: {
        ...agent,
        taskId: id,
        agentId: 'agent_pipe',
        options: {
          sessionId: numbered(1).session(),
          worker: 'process 7 on ada',
          folder: '/home/ada/project',
          attempt: 1,
          handedBack: true,
        },
      },
    },
    {
      type: 'user_interaction_requested',
      payload: {
        ...agent,
        taskId: id,
        interactionId: questionId(1),
        kind: 'composite',
        purpose: 'confirm_risky_action',
        display: { title: 'Run it?', description: 'once', content: { a: [1] }, contentKind: 'json' },
        options: [{ id: 'yes', label: 'Yes', style: 'danger', isDefault: true, detail: 'a', confirm: 'b?' }],
        withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'no rule covers it' }],
        validation: { regex: '^y', required: true },
        parts: [{ id: questionId(2), kind: 'input', purpose: 'generic', display: { title: 'Why?' } }],
      },
    },
    {
      type: 'user_interaction_responded',
      payload: {
        ...author,
        taskId: id,
        interactionId: questionId(1),
        selectedOptionId: 'yes',
        inputValue: 'y',
        comment: 'go on',
        parts: [{ interactionId: questionId(2), answeredBy: 'user_local', inputValue: 'because' }],
      },
    },
    { type: 'task_completed', payload: { ...agent, taskId: id, summary: 'all done' } },
    { type: 'task_failed', payload: { ...agent, taskId: id, reason: 'no key', options: { code: 41 } } },
    { type: 'task_canceled', payload: { ...author, taskId: id, reason: 'changed my mind' } },
  ]
}

/** One event of each type with the fields that must be there. */
export function bareEvents(id: TaskId = taskId(1)): readonly TaskEvent[] {
  return [
    {
      type: 'task_created',
      payload: { ...author, taskId: id, title: 't', intent: 'i', priority: 'normal', agentId: 'agent_pipe' },
    },
    { type: 'task_started', payload: { ...agent, taskId: id, agentId: 'agent_pipe' } },
    {
      type: 'user_interaction_requested',
      payload: {
        ...agent,
        taskId: id,
        interactionId: questionId(1),
        kind: 'confirm',
        purpose: 'generic',
        display: { title: 'Go on?' },
      },
    },
    {
      type: 'user_interaction_responded',
      payload: { ...author, taskId: id, interactionId: questionId(1) },
    },
    { type: 'task_completed', payload: { ...agent, taskId: id } },
    { type: 'task_failed', payload: { ...agent, taskId: id, reason: 'no key' } },
    { type: 'task_canceled', payload: { ...author, taskId: id } },
  ]
}

/** Stores events as if they followed each other in one log. */
export function stored(events: readonly TaskEvent[]): readonly StoredEvent[] {
  const lengths = new Map<string, number>()
  return events.map((event, i) => {
    const streamId = event.payload.taskId
    const seq = (lengths.get(streamId) ?? 0) + 1
    lengths.set(streamId, seq)
    return { ...event, id: i + 1, streamId, seq, createdAt: timestamp }
  })
}
