import type { Projection } from '../../event-store.ts'
import { isInteractionId, isSessionId, isTaskId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type TaskView, taskPriorities, taskStatuses } from '../../task.ts'
import { encodeTaskView } from '../../wire/task-json.ts'
import { type Check, isNumber, isString, list, object } from '../documents/check.ts'
import { isArtifactRef, isTaskOptions } from './check.ts'
import { decodeArtifactRef, decodeTaskOptions } from './decode.ts'
import type { DiskArtifactRef, DiskTaskOptions } from './schema.ts'

/** Changes whenever the fold of events does, so that no state of another version is read. */
const version = 2

/** All tasks of a store, the oldest first: a row each, with the fields that every task has and an object of the others. */
export const boardProjection: Projection<readonly TaskView[]> = {
  name: 'board',
  defaultState: [],
  encode: (tasks) => ({ version, tasks: tasks.map(encodeRow) }),
  decode: (value) => {
    if (!isJsonObject(value) || value['version'] !== version || !Array.isArray(value['tasks']))
      return undefined
    const tasks: TaskView[] = []
    for (const row of value['tasks']) {
      const task = Array.isArray(row) ? decodeRow(row) : undefined
      if (task === undefined) return undefined
      tasks.push(task)
    }
    return tasks
  },
}

/** The names of the fields in a row, in this order. */
const common = [
  ...['task_id', 'title', 'intent', 'created_by', 'agent_id', 'priority', 'status', 'seq', 'created_at'],
  'updated_at',
]

function encodeRow(task: TaskView): JsonValue[] {
  const encoded: JsonObject = encodeTaskView(task)
  const others = Object.entries(encoded).filter(([name]) => !common.includes(name))
  return [...common.map((name) => encoded[name] ?? null), Object.fromEntries(others)]
}

function decodeRow(row: readonly JsonValue[]): TaskView | undefined {
  const [taskId, title, intent, createdBy, agentId, urgency, state, seq, createdAt, updatedAt, others] = row
  const priority = taskPriorities.find((one) => one === urgency)
  const status = taskStatuses.find((one) => one === state)
  if (!isString(taskId) || !isTaskId(taskId) || priority === undefined || status === undefined)
    return undefined
  if (!isString(title) || !isString(intent) || !isString(createdBy) || !isString(agentId)) return undefined
  if (!isNumber(seq) || !isString(createdAt) || !isString(updatedAt) || !areOthers(others)) return undefined
  return {
    ...{ taskId, title, intent, createdBy, agentId, priority, status, ...decodeOthers(others) },
    ...{ seq, createdAt, updatedAt },
  }
}

/** The fields that a task may lack. */
interface Others {
  readonly artifact_refs?: DiskArtifactRef[]
  readonly pending_interaction_id?: string
  readonly last_interaction_id?: string
  readonly parent_task_id?: string
  readonly child_task_ids?: string[]
  readonly options?: DiskTaskOptions
  readonly attempt?: number
  readonly session_id?: string
  readonly worker?: string
  readonly work_folder?: string
  readonly summary?: string
  readonly reason?: string
  readonly code?: number
}

const areOthers: Check<Others> = object<Others>(
  {},
  {
    artifact_refs: list(isArtifactRef),
    pending_interaction_id: isString,
    last_interaction_id: isString,
    parent_task_id: isString,
    child_task_ids: list(isString),
    options: isTaskOptions,
    attempt: isNumber,
    session_id: isString,
    worker: isString,
    work_folder: isString,
    summary: isString,
    reason: isString,
    code: isNumber,
  },
)

function decodeOthers(others: Others): Partial<TaskView> {
  const {
    pending_interaction_id: pending = '',
    last_interaction_id: last = '',
    session_id: session = '',
  } = others
  const {
    parent_task_id: parent = '',
    attempt,
    worker,
    summary,
    reason,
    code,
    work_folder: workFolder,
  } = others
  return omitUndefined({
    artifactRefs: others.artifact_refs?.map(decodeArtifactRef),
    pendingInteractionId: isInteractionId(pending) ? pending : undefined,
    lastInteractionId: isInteractionId(last) ? last : undefined,
    parentTaskId: isTaskId(parent) ? parent : undefined,
    childTaskIds: others.child_task_ids?.filter(isTaskId),
    options: others.options && decodeTaskOptions(others.options),
    ...{ attempt, sessionId: isSessionId(session) ? session : undefined },
    ...{ worker, workFolder, summary, reason, code },
  })
}
