import type { Projection } from '../../event-store.ts'
import { isInteractionId, isSessionId, isTaskId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { TaskView } from '../../task.ts'
import { encodeTaskView } from '../../wire/task-json.ts'
import { isDiskTaskView } from './check.generated.ts'
import { decodeArtifactRef, decodeTaskOptions } from './decode.ts'
import type { DiskTaskView } from './schema.ts'

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
  const others = row[common.length]
  if (!isJsonObject(others)) return undefined
  const fields = { ...Object.fromEntries(common.map((name, i) => [name, row[i]])), ...others }
  return isDiskTaskView(fields) ? decodeTaskView(fields) : undefined
}

/** Returns `undefined` if the task's id is not one of ours. Leaves out other ids that are not. */
function decodeTaskView(disk: DiskTaskView): TaskView | undefined {
  const { task_id: taskId, title, intent, created_by: createdBy, agent_id: agentId, priority, status } = disk
  const { seq, created_at: createdAt, updated_at: updatedAt } = disk
  if (!isTaskId(taskId)) return undefined
  return {
    taskId,
    title,
    intent,
    createdBy,
    agentId,
    priority,
    status,
    ...decodeOthers(disk),
    seq,
    createdAt,
    updatedAt,
  }
}

function decodeOthers(disk: DiskTaskView): Partial<TaskView> {
  const {
    pending_interaction_id: pending = '',
    last_interaction_id: last = '',
    session_id: session = '',
  } = disk
  const {
    parent_task_id: parent = '',
    attempt,
    worker,
    summary,
    reason,
    code,
    work_folder: workFolder,
  } = disk
  return omitUndefined({
    artifactRefs: disk.artifact_refs?.map(decodeArtifactRef),
    pendingInteractionId: isInteractionId(pending) ? pending : undefined,
    lastInteractionId: isInteractionId(last) ? last : undefined,
    parentTaskId: isTaskId(parent) ? parent : undefined,
    childTaskIds: disk.child_task_ids?.filter(isTaskId),
    options: disk.options && decodeTaskOptions(disk.options),
    attempt,
    sessionId: isSessionId(session) ? session : undefined,
    worker,
    workFolder,
    summary,
    reason,
    code,
  })
}
