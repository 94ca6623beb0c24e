import type { ModelCatalog, ModelInfo } from '../model.ts'
import { decodeRow, type ModelRow } from './model-row.ts'
import { undated, vendorName } from './names.ts'

/** The models of each provider, by id. */
export interface CatalogData {
  readonly models: Readonly<Record<string, Readonly<Record<string, ModelRow>>>>
}

/** The user's own facts about models, by `provider/id`. */
export type Overrides = Readonly<Record<string, ModelRow>>

/**
 * Creates a catalog. Finds a model by its exact id, else without its date or `latest`, else as its vendor's; never a different one.
 * `list` returns the data in its order, then new overrides.
 */
export function createCatalog({ models }: CatalogData, overrides: Overrides = {}): ModelCatalog {
  const overridden = new Map<string, ModelInfo>()

  // Decodes rows on demand, as a run needs only one.
  const exact = (provider: string, id: string): ModelInfo | undefined => {
    const row = entry(entry(models, provider) ?? {}, id)
    return (
      overridden.get(`${provider}/${id}`) ?? (row === undefined ? row : { provider, id, ...decodeRow(row) })
    )
  }
  const own: Find = (provider, id) => exact(provider, id) ?? exact(provider, undated(id))
  const find: Find = (provider, id) => {
    const found = own(provider, id) ?? findAtVendor(provider, id, own)
    return found === undefined ? undefined : { ...found, provider, id }
  }

  for (const [name, row] of Object.entries(overrides)) {
    const slash = name.indexOf('/')
    const [provider, id] = [name.slice(0, slash), name.slice(slash + 1)]
    overridden.set(name, { provider, id, ...find(provider, id), ...decodeRow(row) })
  }
  return {
    find,
    list: () => {
      const known = Object.entries(models).flatMap(([provider, rows]) =>
        Object.keys(rows).flatMap((id) => exact(provider, id) ?? []),
      )
      const added = [...overridden.values()].filter(
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

/** Finds Azure's models at OpenAI and OpenRouter's at their vendors, without price and thinking, which depend on the server. */
function findAtVendor(provider: string, id: string, own: Find): ModelInfo | undefined {
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

/** Loads the data that comes with the program and opens a catalog of it. */
export async function openCatalog(overrides: Overrides = {}): Promise<ModelCatalog> {
  const { default: data } = await import('./models.json', { with: { type: 'json' } })
  return createCatalog(data, overrides)
}
