import { modelListSchema, modelSchema } from '../../json/served/model-schema.ts'
import type { AppParts } from '../app-parts.ts'
import type { ServedModelName } from '../backend.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { unknownModel, usualName } from './served-model-name.ts'

/** The names that a request for a chat may give as its model. */
export function modelRoutes({ backend, clock }: Pick<AppParts, 'backend' | 'clock'>): readonly Route[] {
  // When a model was made is not known.
  const created = Math.floor(clock.now() / 1_000)
  const encode = ({ id, owner }: ServedModelName) => ({ id, object: 'model', created, owned_by: owner })
  const list = async (signal: AbortSignal) => [
    { id: usualName, owner: usualName },
    ...(await backend.models({ signal })),
  ]
  const facts = { method: 'get', query: nothing, body: nothing } as const
  return [
    defineRoute({
      ...facts,
      path: '/v1/models',
      operation: 'listModels',
      summary: 'The agents, and the models that can be used now',
      answers: {
        200: {
          description: 'The names to give as `model`. `pipe` is the agent with its usual model.',
          schema: modelListSchema,
        },
      },
      handle: async ({ signal }) => Response.json({ object: 'list', data: (await list(signal)).map(encode) }),
    }),
    defineRoute({
      ...facts,
      path: '/v1/models/{id}',
      takesRest: true,
      operation: 'getModel',
      summary: 'One of them',
      answers: { 200: { description: 'The model.', schema: modelSchema } },
      handle: async ({ params: { id = '' }, signal }) => {
        const found = (await list(signal)).find((model) => model.id === id)
        if (found === undefined) throw unknownModel(id, 'GET /v1/models lists all')
        return Response.json(encode(found))
      },
    }),
  ]
}
