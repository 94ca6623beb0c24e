import { endpoint } from '../http/dialect/endpoint.ts'
import type { Ask } from '../http/dialect/served-window.ts'
import { count, list, objects, text } from '../wire/json-fields.ts'

/** Facts about a model that a server has on disk. */
export interface StoredModel {
  readonly id: string
  readonly bytes?: number | undefined
  /** Whether it calls tools. Absent: the server does not say. */
  readonly tools?: boolean | undefined
}

/** Models that are asked about one by one. */
const mostAsked = 8

/** Describes the models of a server, in its order. */
export async function ollamaModels(baseUrl: string, ask: Ask): Promise<readonly StoredModel[]> {
  const tags = await ask(endpoint(baseUrl, '/api/tags'))
  const rows = objects(tags?.['models']).filter(({ name }) => text(name) !== '')
  return Promise.all(
    rows.map(async ({ name, size }, i): Promise<StoredModel> => {
      const id = text(name)
      const shown = i < mostAsked ? await ask(endpoint(baseUrl, '/api/show'), { model: id }) : undefined
      const able = shown?.['capabilities']
      const tools = able === undefined ? undefined : list(able).includes('tools')
      return { id, bytes: count(size), tools }
    }),
  )
}
