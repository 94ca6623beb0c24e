import { unreachable } from '../../error.ts'
import type { StoredEvent } from '../../event-store.ts'
import { isSessionId, isTaskId, type TaskId } from '../../id.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ArtifactRef, AttemptOptions, TaskEvent, TaskOptions } from '../../task.ts'
import { decodeInteraction, decodeResponse } from '../documents/decode-question.ts'
import type { DiskArtifactRef, DiskTaskEvent, DiskTaskOptions } from './schema.ts'

/** Decodes an event from disk; `undefined` if it names a task, session or question by what is no id of one. */
export function decodeStoredEvent(disk: DiskTaskEvent): StoredEvent | undefined {
  const { id, stream_id: streamId, seq, created_at: createdAt } = disk
  const { task_id: taskId, author_actor_id: authorActorId } = disk.payload
  if (!isTaskId(taskId) || taskId !== streamId) return undefined
  const event = decodeEvent(disk, { taskId, authorActorId })
  return event && { id, streamId, seq, createdAt, ...event }
}

interface About {
  readonly taskId: TaskId
  readonly authorActorId: string
}

function decodeEvent(disk: DiskTaskEvent, about: About): TaskEvent | undefined {
  const { type } = disk
  switch (type) {
    case 'task_created': {
      const { title, intent, priority, agent_id: agentId, artifact_refs: refs, options } = disk.payload
      const artifactRefs = refs?.map(decodeArtifactRef)
      const more = omitUndefined({ artifactRefs, options: options && decodeTaskOptions(options) })
      return { type, payload: { ...about, title, intent, priority, agentId, ...more } }
    }
    case 'task_started': {
      const { agent_id: agentId, options } = disk.payload
      const more = omitUndefined({ options: options && decodeAttempt(options) })
      return { type, payload: { ...about, agentId, ...more } }
    }
    case 'task_completed':
      return { type, payload: { ...about, ...omitUndefined({ summary: disk.payload.summary }) } }
    case 'task_failed': {
      const { reason, options } = disk.payload
      const code = options && omitUndefined({ code: options.code })
      return { type, payload: { ...about, reason, ...omitUndefined({ options: code }) } }
    }
    case 'task_canceled':
      return { type, payload: { ...about, ...omitUndefined({ reason: disk.payload.reason }) } }
    case 'user_interaction_requested': {
      const { task_id: _, author_actor_id: __, interaction_id, ...facts } = disk.payload
      const decoded = decodeInteraction({ id: interaction_id, ...facts })
      if (decoded === undefined) return undefined
      const { id: interactionId, ...question } = decoded
      return { type, payload: { ...about, interactionId, ...question } }
    }
    case 'user_interaction_responded': {
      const { task_id: _, author_actor_id: answered_by, ...facts } = disk.payload
      const decoded = decodeResponse({ answered_by, ...facts })
      if (decoded === undefined) return undefined
      const { answeredBy: __, cancelled: ___, ...answer } = decoded
      return { type, payload: { ...about, ...answer } }
    }
    default:
      return unreachable(type)
  }
}

function decodeAttempt({
  session_id: session = '',
  worker,
  folder,
  attempt,
  handed_back: handedBack,
}: NonNullable<
  Extract<DiskTaskEvent, { readonly type: 'task_started' }>['payload']['options']
>): AttemptOptions {
  const sessionId = isSessionId(session) ? session : undefined
  return omitUndefined({ sessionId, worker, folder, attempt, handedBack })
}

/** Decodes the options of a task. */
export function decodeTaskOptions(disk: DiskTaskOptions): TaskOptions {
  const { repo, base, folder, model, mode, limits } = disk
  return omitUndefined({
    repo,
    base,
    folder,
    model,
    mode,
    limits:
      limits &&
      omitUndefined({
        maxRounds: limits.max_rounds,
        maxTokens: limits.max_tokens,
        maxCostUsd: limits.max_cost_usd,
        maxTimeMs: limits.max_time_ms,
      }),
    after: asTaskId(disk.after),
    parentTaskId: asTaskId(disk.parent_task_id),
    retryOf: asTaskId(disk.retry_of),
  })
}

function asTaskId(text = ''): TaskId | undefined {
  return isTaskId(text) ? text : undefined
}

/** Decodes a reference of a task. */
export function decodeArtifactRef(disk: DiskArtifactRef): ArtifactRef {
  const { kind } = disk
  switch (kind) {
    case 'file_range':
      return { kind, path: disk.path, lineStart: disk.line_start, lineEnd: disk.line_end }
    case 'outline_anchor':
      return { kind, sectionId: disk.section_id }
    case 'asset':
      return { kind, assetId: disk.asset_id }
    case 'citation':
      return { kind, citeKey: disk.cite_key }
    default:
      return unreachable(kind)
  }
}
