import * as z from 'zod'
import { PipeError } from '../../error.ts'
import { branchOf } from '../../history/branch.ts'
import { elfCommandSchema, elfSchema } from '../../json/served/elf-schema.ts'
import type { AppParts } from '../app-parts.ts'
import { elvesOf } from '../live/live-elves.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

/** The elves of a session: listed, and stopped. Their events and questions are those of the session. */
export function elfRoutes({ hub }: Pick<AppParts, 'hub'>): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}/elves',
      operation: 'listElves',
      summary: 'The elves that a session has started, oldest first',
      query: nothing,
      body: nothing,
      answers: { 200: { description: 'The elves.', schema: z.object({ elves: z.array(elfSchema) }) } },
      handle: async ({ params: { id = '' }, signal }) => {
        const live = hub.get(id)
        const messages = live?.conversation.messages ?? branchOf(await hub.stored.load(id, { signal }))
        return Response.json({ elves: elvesOf(messages, live?.facts.elves.all ?? []) })
      },
    }),
    defineRoute({
      method: 'post',
      path: '/v1/sessions/{id}/elves/{name}/commands',
      operation: 'commandElf',
      summary: 'Stops an elf that is at work',
      query: nothing,
      body: elfCommandSchema,
      answers: { 200: { description: 'It is being stopped.', schema: z.object({}) } },
      handle: async ({ params: { id = '', name = '' }, signal }) => {
        await hub.row(id, signal)
        if ((await hub.get(id)?.conversation.stopElf(name)) !== true)
          throw new PipeError('not_found', `no elf ${name} is at work in session ${id}`)
        return Response.json({})
      },
    }),
  ]
}
