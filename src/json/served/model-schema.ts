import * as z from 'zod'

/** A name that a request for a chat may give as its model. `owned_by`: its provider, or `pipe` for an agent. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})

/** The models of a server, as `GET /v1/models` lists them. */
export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) })
