import * as z from 'zod'
import { permissionModes } from '../../permission.ts'
import { taskPriorities, taskStatuses } from '../../task.ts'
import { interactionSchema, responseSchema } from '../documents/interaction-schema.ts'
import { tasksVersion } from './task-line.ts'

const name = z.string().min(1)
const count = z.int().positive()

export const artifactRefSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file_range'), path: name, line_start: count, line_end: count }),
  z.object({ kind: z.literal('outline_anchor'), section_id: name }),
  z.object({ kind: z.literal('asset'), asset_id: name }),
  z.object({ kind: z.literal('citation'), cite_key: name }),
])

export const taskOptionsSchema = z.object({
  repo: name.exactOptional(),
  base: name.exactOptional(),
  folder: name.exactOptional(),
  model: name.exactOptional(),
  mode: z.enum(permissionModes).exactOptional(),
  limits: z
    .object({
      max_rounds: z.number().exactOptional(),
      max_tokens: z.number().exactOptional(),
      max_cost_usd: z.number().exactOptional(),
      max_time_ms: z.number().exactOptional(),
    })
    .exactOptional(),
  after: name.exactOptional(),
  parent_task_id: name.exactOptional(),
  retry_of: name.exactOptional(),
})

const about = { task_id: name, author_actor_id: name }

/** The fields of each event's payload besides its task and author. */
const payloads = {
  task_created: {
    title: name,
    intent: z.string(),
    priority: z.enum(taskPriorities),
    agent_id: name,
    artifact_refs: z.array(artifactRefSchema).exactOptional(),
    options: taskOptionsSchema.exactOptional(),
  },
  task_started: {
    agent_id: name,
    options: z
      .object({
        session_id: name.exactOptional(),
        worker: z.string().exactOptional(),
        folder: name.exactOptional(),
        attempt: count.exactOptional(),
        handed_back: z.literal(true).exactOptional(),
      })
      .exactOptional(),
  },
  task_completed: { summary: z.string().exactOptional() },
  task_failed: {
    reason: z.string(),
    options: z.object({ code: z.int().exactOptional() }).exactOptional(),
  },
  task_canceled: { reason: z.string().exactOptional() },
  user_interaction_requested: { interaction_id: name, ...interactionSchema.omit({ id: true }).shape },
  user_interaction_responded: {
    interaction_id: name,
    ...responseSchema.omit({ interaction_id: true, answered_by: true, cancelled: true }).shape,
  },
}

const stored = {
  id: count,
  stream_id: name,
  seq: count,
  created_at: name,
  more: z.literal(true).exactOptional(),
}

function eventSchema<Type extends keyof typeof payloads>(type: Type) {
  return z.object({ ...stored, type: z.literal(type), payload: z.object({ ...about, ...payloads[type] }) })
}

/** An event in the log. `more` marks one that counts only together with the next line. */
export const taskEventSchema = z.discriminatedUnion('type', [
  eventSchema('task_created'),
  eventSchema('task_started'),
  eventSchema('task_completed'),
  eventSchema('task_failed'),
  eventSchema('task_canceled'),
  eventSchema('user_interaction_requested'),
  eventSchema('user_interaction_responded'),
])

const headerSchema = z.object({ type: z.literal('tasks'), version: z.literal(tasksVersion) })

/** A line of the log of tasks: the first is its header, the others are events. */
export const taskLineSchema = z.union([headerSchema, taskEventSchema])

/** A task as the events so far make it. */
export const taskViewSchema = z.object({
  task_id: z.string(),
  title: z.string(),
  intent: z.string(),
  created_by: z.string(),
  agent_id: z.string(),
  priority: z.enum(taskPriorities),
  status: z.enum(taskStatuses),
  artifact_refs: z.array(artifactRefSchema).exactOptional(),
  pending_interaction_id: z.string().exactOptional(),
  last_interaction_id: z.string().exactOptional(),
  parent_task_id: z.string().exactOptional(),
  child_task_ids: z.array(z.string()).exactOptional(),
  options: taskOptionsSchema.exactOptional(),
  attempt: z.int().exactOptional(),
  session_id: z.string().exactOptional(),
  worker: z.string().exactOptional(),
  work_folder: z.string().exactOptional(),
  summary: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  code: z.int().exactOptional(),
  seq: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})

export type DiskTaskView = z.infer<typeof taskViewSchema>
export type DiskTaskEvent = z.infer<typeof taskEventSchema>
export type DiskArtifactRef = z.infer<typeof artifactRefSchema>
export type DiskTaskOptions = z.infer<typeof taskOptionsSchema>
