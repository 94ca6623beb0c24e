import { formatCount, formatPrice } from '../../../frontend/words/amount.ts'
import type { JsonObject } from '../../../json-value.ts'
import { list, object, objects, text } from '../../../wire/json-fields.ts'

/** A model to choose. */
export interface PageModel {
  /** `provider/id`. */
  readonly name: string
  readonly provider: string
  readonly id: string
  /** Its window and price, in short. */
  readonly facts: string
  /** The levels at which it can be told to think. */
  readonly levels: readonly string[]
  /** The reason why it cannot be used now; empty if it can. */
  readonly missing: string
}

export function readPageModels(answer: JsonObject): readonly PageModel[] {
  return objects(answer['models']).map((model) => {
    const name = text(model['name'])
    const slash = name.indexOf('/')
    const { context_window: window } = model
    const facts = [
      typeof window === 'number' ? `${formatCount(window)} tokens` : '',
      priceOf(object(model['price']) ?? {}),
      model['images'] === false ? 'no images' : '',
    ]
    return {
      name,
      provider: name.slice(0, slash),
      id: name.slice(slash + 1),
      facts: facts.filter((fact) => fact !== '').join(' · '),
      levels: list(model['thinking']).map(text),
      missing: text(model['missing']),
    }
  })
}

function priceOf({ input, output }: JsonObject): string {
  return typeof input === 'number' && typeof output === 'number' ? formatPrice({ input, output }) : ''
}

/** Returns a model's name without its provider. */
export function modelLabel(model: string): string {
  return model.slice(model.indexOf('/') + 1)
}

/** The models of a provider. */
export interface ProviderModels {
  readonly provider: string
  readonly models: readonly PageModel[]
}

/** Groups models by provider, in the order of the list. */
export function byProvider(models: readonly PageModel[]): readonly ProviderModels[] {
  const groups = new Map<string, PageModel[]>()
  for (const model of models) groups.set(model.provider, [...(groups.get(model.provider) ?? []), model])
  return [...groups].map(([provider, grouped]) => ({ provider, models: grouped }))
}
