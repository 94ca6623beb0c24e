import * as z from 'zod'
import { thinkingLevels } from '../../model.ts'
import { permissionModes } from '../../permission.ts'
import { eventLineSchema } from '../documents/event-schema.ts'
import { interactionSchema } from '../documents/interaction-schema.ts'
import { queueSchema, snapshotSchema, stateSchema } from './snapshot-schema.ts'

/** A mode of permissions. */
export const modeSchema = z.enum(permissionModes)

/** A level of thinking. */
export const thinkingSchema = z.enum(thinkingLevels)

/** A session as lists show it. */
export const sessionRowSchema = z.object({
  id: z.string(),
  project: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  title: z.string().exactOptional(),
  opening: z.string().exactOptional(),
  created_at: z.string(),
  updated_at: z.string(),
  model: z.string().exactOptional(),
  thinking: thinkingSchema.exactOptional(),
  mode: modeSchema.exactOptional(),
  state: stateSchema,
  is_open: z.boolean(),
  is_running: z.boolean(),
  questions: z.int().nonnegative(),
  parent_session_id: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  /** The end of the last turn, if a server ran it and the user did not stop it. */
  outcome: z.enum(['done', 'failed']).exactOptional(),
})

/** Tells the model of the next round, as `provider/model`, its thinking and the mode, when the session is opened and when one is set. */
export const settingsLineSchema = z.object({
  type: z.literal('settings'),
  model: z.string(),
  thinking: thinkingSchema.exactOptional(),
  mode: modeSchema,
})

/** Tells a question of an elf in the background. Those of a turn are its events. */
export const askedLineSchema = z.object({ type: z.literal('asked'), interaction: interactionSchema })

const errorSchema = z.object({ code: z.string(), message: z.string() })

/** Tells that a turn is over, why it failed, and what a full disk keeps in memory. */
export const endedLineSchema = z.object({
  type: z.literal('ended'),
  stop_reason: z.string(),
  error: errorSchema.exactOptional(),
  unsaved: z.object({ part: z.enum(['conversation', 'audit_log']), error: errorSchema }).exactOptional(),
})

/** A line of a session's events: one of `stream-json`, or one of the server. */
export const sessionLineSchema = z.union([
  eventLineSchema,
  snapshotSchema.extend({ type: z.literal('snapshot') }),
  z.object({ type: z.literal('queue'), queue: queueSchema }),
  settingsLineSchema,
  askedLineSchema,
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string() }),
  endedLineSchema,
  z.object({ type: z.literal('settled') }),
  z.object({ type: z.literal('closed') }),
])

export type EndedLine = z.infer<typeof endedLineSchema>

export type SessionRow = z.infer<typeof sessionRowSchema>
