import * as z from 'zod'
import { handOverMark, handOverVersion } from '../../wire/hand-over-mark.ts'
import { messageSchema, usageSchema } from './schema.ts'

/** Describes the output of `pipe -o pipe` for the next pipe. */
export const handOverSchema = z.object({
  [handOverMark]: z.literal(handOverVersion),
  answer: z.string(),
  provenance: z.object({
    pipe: z.string(),
    provider: z.string(),
    model: z.string(),
    session_id: z.string().exactOptional(),
    created_at: z.string(),
  }),
  usage: usageSchema,
  cost_usd: z.number().exactOptional(),
  /** The rest of the run's limits, for those that follow. */
  budget: z.object({ tokens_left: z.number().exactOptional(), usd_left: z.number().exactOptional() }),
  /** Why the run failed. Nothing goes on from it then. */
  error: z.object({ exit_code: z.number(), code: z.string(), message: z.string() }).exactOptional(),
  conversation: z.array(messageSchema),
  /** By a key of the user who made it: HMAC-SHA256 in hexadecimal digits. */
  signature: z.string().exactOptional(),
})

export type HandOver = z.infer<typeof handOverSchema>
