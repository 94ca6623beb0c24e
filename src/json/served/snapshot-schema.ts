import * as z from 'zod'
import { interactionSchema } from '../documents/interaction-schema.ts'
import { messageSchema, usageSchema } from '../documents/schema.ts'
import { json } from '../opaque.ts'

/** State of an agent. */
export const stateSchema = z.enum(['idle', 'thinking', 'toolcall', 'reflecting'])

/** The messages of a session that wait, in the order in which they were accepted. */
export const queueSchema = z.array(
  z.object({ id: z.string(), text: z.string(), kind: z.enum(['steer', 'follow_up']) }),
)

/** A conversation at one position, as `encodeSnapshot` makes it. */
export const snapshotSchema = z.object({
  position: z.string(),
  state: stateSchema,
  // Servers of an earlier version do not say.
  settled: z.optional(z.boolean()),
  messages: z.array(messageSchema),
  usage: usageSchema,
  cost_usd: z.number().exactOptional(),
  reply: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('thinking'), thinking: z.string() }),
    ]),
  ),
  calls: z.array(
    z.object({ call_id: z.string(), name: z.string(), arguments: json, asks: z.optional(z.string()) }),
  ),
  questions: z.array(interactionSchema),
  queue: queueSchema,
})

export type WireSnapshot = z.infer<typeof snapshotSchema>
