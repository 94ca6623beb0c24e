import * as z from 'zod'
import type { OfferedModel } from '../../frontend/offered-model.ts'
import { projectListSchema } from '../../json/served/project-schema.ts'
import { thinkingSchema } from '../../json/served/session-schema.ts'
import { levelsOf, thinkingLevels } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AppParts } from '../app-parts.ts'
import { projectNamed } from '../chosen-project.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

/** The name of a project, in a query or a body. */
export const projectName = z.string().min(1)

/** The folders that the server works in, and the models that each offers. */
export function projectRoutes({ backend }: Pick<AppParts, 'backend'>): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/v1/projects/{project}/models',
      operation: 'listOfferedModels',
      summary:
        'The models to choose from in a project, usable ones first, the others with the reason why not',
      query: z.object({ current: z.string().min(1).exactOptional() }),
      body: nothing,
      answers: { 200: { description: 'The models.', schema: z.object({ models: z.array(offerSchema) }) } },
      handle: async ({ params: { project = '' }, query, signal }) => {
        const offers = await backend.offers(projectNamed(backend, project), { ...query, signal })
        return Response.json({ models: offers.map(encodeOffer) })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/projects',
      operation: 'listProjects',
      summary: 'The folders that the server works in; the first is the default',
      query: nothing,
      body: nothing,
      answers: {
        200: {
          description: 'The projects.',
          schema: projectListSchema,
        },
      },
      handle: async () =>
        Response.json({ projects: backend.projects.map(({ name, cwd }) => ({ name, cwd })) }),
    }),
  ]
}

/** A model to choose. Prices are US dollars for a million tokens. `thinking` lists its levels; all of them if they are not known. */
const offerSchema = z.object({
  name: z.string(),
  context_window: z.number().exactOptional(),
  price: z.object({ input: z.number(), output: z.number() }).exactOptional(),
  images: z.boolean().exactOptional(),
  thinking: z.array(thinkingSchema).readonly(),
  missing: z.string().exactOptional(),
})

function encodeOffer({ name, facts, missing }: OfferedModel): z.infer<typeof offerSchema> {
  const { contextWindow, price, images } = facts
  return {
    name,
    thinking: levelsOf(facts) ?? thinkingLevels,
    ...omitUndefined({
      context_window: contextWindow,
      price: price && { input: price.input, output: price.output },
      images,
      missing,
    }),
  }
}
