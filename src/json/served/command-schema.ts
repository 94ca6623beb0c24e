import * as z from 'zod'
import { isMessageId } from '../../id.ts'
import { modeSchema, thinkingSchema } from './session-schema.ts'

/** A text with a visible character. */
export const textSchema = z.string().refine((text) => text.trim() !== '', 'is empty')

/** The id that a client gives a message, so that it may send it again. */
export const messageIdSchema = z.string().refine(isMessageId, 'is not a UUID in lower case')

/** The answer to a question. The server says who gives it, whatever a client that repeats an event says. */
export const givenResponseSchema = z.strictObject({
  interaction_id: z.string(),
  answered_by: z.string().exactOptional(),
  selected_option_id: z.string().exactOptional(),
  input_value: z.string().exactOptional(),
  comment: z.string().exactOptional(),
  get parts() {
    return z.array(givenResponseSchema).exactOptional()
  },
  cancelled: z.boolean().exactOptional(),
})

/** A command for a session. */
export const sessionCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('respond'), response: givenResponseSchema }),
  z.strictObject({ type: z.literal('steer'), text: textSchema, id: messageIdSchema.exactOptional() }),
  z.strictObject({ type: z.literal('follow_up'), text: textSchema, id: messageIdSchema.exactOptional() }),
  z.strictObject({ type: z.literal('take_back'), message_id: messageIdSchema }),
  z.strictObject({ type: z.literal('interrupt') }),
  z.strictObject({ type: z.literal('set_model'), model: z.string().min(1) }),
  z.strictObject({ type: z.literal('set_thinking'), level: thinkingSchema }),
  z.strictObject({ type: z.literal('set_mode'), mode: modeSchema }),
  z.strictObject({
    type: z.literal('compact'),
    keep: z.string().exactOptional(),
    when: z.enum(['now', 'later']).exactOptional(),
  }),
  z.strictObject({ type: z.literal('go_on') }),
  z.strictObject({
    type: z.literal('go_to'),
    message_id: messageIdSchema,
    what: z.enum(['conversation', 'files', 'both']).exactOptional(),
    summary: z.boolean().exactOptional(),
  }),
])

/** The fate of a message. */
export const postedSchema = z.object({
  message_id: z.string(),
  status: z.enum(['started', 'steering', 'queued']),
})

export type GivenResponse = z.infer<typeof givenResponseSchema>
export type SessionCommand = z.infer<typeof sessionCommandSchema>
export type Posted = z.infer<typeof postedSchema>
