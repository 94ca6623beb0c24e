import { unreachable } from '../error.ts'
import type { StoredEvent } from '../event-store.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ArtifactRef, TaskEvent, TaskOptions, TaskView } from '../task.ts'
import { encodeInteraction, encodeResponse } from './interaction-json.ts'

/** Encodes an event as the log of tasks and the formats for programs have it. */
export function encodeStoredEvent({ id, streamId, seq, createdAt, ...event }: StoredEvent): JsonObject {
  return { id, stream_id: streamId, seq, created_at: createdAt, ...encodeTaskEvent(event) }
}

/** Encodes an event without what its store adds. */
function encodeTaskEvent(event: TaskEvent): JsonObject {
  const { taskId: task_id, authorActorId: author_actor_id } = event.payload
  return { type: event.type, payload: { task_id, author_actor_id, ...encodeFacts(event) } }
}

function encodeFacts(event: TaskEvent): JsonObject {
  switch (event.type) {
    case 'task_created': {
      const { title, intent, priority, agentId, artifactRefs, options } = event.payload
      return {
        title,
        intent,
        priority,
        agent_id: agentId,
        ...omitUndefined({
          artifact_refs: artifactRefs?.map(encodeArtifactRef),
          options: options && encodeTaskOptions(options),
        }),
      }
    }
    case 'task_started': {
      const { agentId, options } = event.payload
      if (options === undefined) return { agent_id: agentId }
      const { sessionId, worker, folder, attempt, handedBack } = options
      const encoded = { session_id: sessionId, worker, folder, attempt, handed_back: handedBack }
      return { agent_id: agentId, options: omitUndefined(encoded) }
    }
    case 'task_completed':
      return omitUndefined({ summary: event.payload.summary })
    case 'task_failed': {
      const { reason, options } = event.payload
      return { reason, ...omitUndefined({ options: options && omitUndefined({ ...options }) }) }
    }
    case 'task_canceled':
      return omitUndefined({ reason: event.payload.reason })
    case 'user_interaction_requested': {
      const { interactionId, taskId: _, authorActorId: __, ...question } = event.payload
      const { id, ...facts } = encodeInteraction({ id: interactionId, ...question })
      return { interaction_id: interactionId, ...facts }
    }
    case 'user_interaction_responded': {
      const { taskId: _, authorActorId, ...answer } = event.payload
      const { answered_by, ...facts } = encodeResponse({ ...answer, answeredBy: authorActorId })
      return facts
    }
    default:
      return unreachable(event)
  }
}

/** Encodes a task as one JSON object. */
export function encodeTaskView(task: TaskView): JsonObject {
  const { options = {}, artifactRefs, parentTaskId } = task
  const encoded = encodeTaskOptions(options)
  return {
    task_id: task.taskId,
    title: task.title,
    intent: task.intent,
    created_by: task.createdBy,
    agent_id: task.agentId,
    priority: task.priority,
    status: task.status,
    ...omitUndefined({
      artifact_refs: artifactRefs?.map(encodeArtifactRef),
      pending_interaction_id: task.pendingInteractionId,
      last_interaction_id: task.lastInteractionId,
      parent_task_id: parentTaskId,
      child_task_ids: task.childTaskIds,
      options: Object.keys(encoded).length === 0 ? undefined : encoded,
      attempt: task.attempt,
      session_id: task.sessionId,
      worker: task.worker,
      work_folder: task.workFolder,
      summary: task.summary,
      reason: task.reason,
      code: task.code,
    }),
    seq: task.seq,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  }
}

function encodeTaskOptions({
  repo,
  base,
  folder,
  model,
  mode,
  limits,
  after,
  parentTaskId,
  retryOf,
}: TaskOptions): JsonObject {
  return omitUndefined({
    repo,
    base,
    folder,
    model,
    mode,
    limits: limits && encodeLimits(limits),
    after,
    parent_task_id: parentTaskId,
    retry_of: retryOf,
  })
}

function encodeLimits({
  maxRounds,
  maxTokens,
  maxCostUsd,
  maxTimeMs,
}: NonNullable<TaskOptions['limits']>): JsonObject {
  return omitUndefined({
    max_rounds: maxRounds,
    max_tokens: maxTokens,
    max_cost_usd: maxCostUsd,
    max_time_ms: maxTimeMs,
  })
}

function encodeArtifactRef(ref: ArtifactRef): JsonObject {
  switch (ref.kind) {
    case 'file_range':
      return { kind: ref.kind, path: ref.path, line_start: ref.lineStart, line_end: ref.lineEnd }
    case 'outline_anchor':
      return { kind: ref.kind, section_id: ref.sectionId }
    case 'asset':
      return { kind: ref.kind, asset_id: ref.assetId }
    case 'citation':
      return { kind: ref.kind, cite_key: ref.citeKey }
    default:
      return unreachable(ref)
  }
}
