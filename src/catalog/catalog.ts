import type { ModelCatalog, ModelInfo } from '../model.ts'
import { undated, vendorName } from './names.ts'
import { decodeRow, type ModelRow } from './row.ts'

/** The models of each provider, by id. */
export interface CatalogData {
  readonly models: Readonly<Record<string, Readonly<Record<string, ModelRow>>>>
}

/** What the user knows better, by `provider/id`. */
export type Overrides = Readonly<Record<string, ModelRow>>

/**
 * What is known of models. A model is found by its exact id, else by the id without a date or `latest`; one of Azure as OpenAI's;
 * one that OpenRouter routes to as its vendor's, without what depends on the server: the price and how thinking is set. It is
 * never taken for another model. `list` has what stands in the data, in its order, then the overrides that are new.
 */
export function createCatalog({ models }: CatalogData, overrides: Overrides = {}): ModelCatalog {
  const better = new Map<string, ModelInfo>()

  // Rows are decoded when they are asked for: a run needs one of them.
  const exact = (provider: string, id: string): ModelInfo | undefined => {
    const row = entry(entry(models, provider) ?? {}, id)
    return better.get(`${provider}/${id}`) ?? (row === undefined ? row : { provider, id, ...decodeRow(row) })
  }
  const own: Find = (provider, id) => exact(provider, id) ?? exact(provider, undated(id))
  const find: Find = (provider, id) => {
    const found = own(provider, id) ?? findElsewhere(provider, id, own)
    return found === undefined ? undefined : { ...found, provider, id }
  }

  for (const [name, row] of Object.entries(overrides)) {
    const slash = name.indexOf('/')
    const [provider, id] = [name.slice(0, slash), name.slice(slash + 1)]
    better.set(name, { provider, id, ...find(provider, id), ...decodeRow(row) })
  }
  return {
    find,
    list: () => {
      const known = Object.entries(models).flatMap(([provider, rows]) =>
        Object.keys(rows).flatMap((id) => exact(provider, id) ?? []),
      )
      const added = [...better.values()].filter(
        ({ provider, id }) => !entry(entry(models, provider) ?? {}, id),
      )
      return [...known, ...added]
    },
  }
}

type Find = (provider: string, id: string) => ModelInfo | undefined

function entry<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function findElsewhere(provider: string, id: string, own: Find): ModelInfo | undefined {
  switch (provider) {
    case 'azure':
      return own('openai', id)
    case 'gemini':
      return id.startsWith('models/') ? own(provider, id.slice('models/'.length)) : undefined
    case 'openrouter': {
      const plain = id.replace(/:[a-z]+$/, '')
      const vendor = vendorName(plain)
      const routed = plain === id ? undefined : own(provider, plain)
      const found = routed ?? (vendor === undefined ? undefined : own(vendor.provider, vendor.id))
      return found === undefined ? undefined : withoutServer(found)
    }
    default:
      return undefined
  }
}

function withoutServer({ price, thinking, ...model }: ModelInfo): ModelInfo {
  return model
}

/** The catalog over the data that comes with the program, loaded now. */
export async function openCatalog(overrides: Overrides = {}): Promise<ModelCatalog> {
  const { default: data } = await import('./models.json', { with: { type: 'json' } })
  return createCatalog(data, overrides)
}
