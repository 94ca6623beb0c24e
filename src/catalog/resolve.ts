import { enumerate } from '../characters/enumerate.ts'
import { PipeError } from '../error.ts'
import { type ModelInfo, splitLevel } from '../model.ts'
import { bareName, spelling, undated } from './names.ts'

/** Maximum models to list: candidates of an ambiguous name, and models near an unknown one. */
const maxListed = { several: 8, near: 3 }

/**
 * Resolves a shortened name to `provider/id`, with the text's `:level`. Prefers models of `usable` providers. Treats a model with
 * several providers or dates as one. Throws `usage` if several models match or none does.
 */
export function resolveModel(
  text: string,
  models: readonly ModelInfo[],
  usable: ReadonlySet<string>,
): string {
  const { name } = splitLevel(text)
  const prefix = name.slice(0, name.lastIndexOf('/') + 1)
  const word = bareName(name)
  const within = models.filter((model) => model.id.startsWith(prefix) || fullName(model).startsWith(prefix))
  for (const isMatch of matchersFor(name, word)) {
    const found = within.filter(isMatch)
    const ready = found.filter(({ provider }) => usable.has(provider))
    const [one, ...others] = distinct(ready.length > 0 ? ready : found)
    if (one === undefined) continue
    if (others.length === 0) return fullName({ ...one, id: withDate(one.id, name) }) + text.slice(name.length)
    const matches = listed([one, ...others])
    throw new PipeError(
      'usage',
      `${JSON.stringify(name)} matches several models: ${matches}; use a full name`,
    )
  }
  const near = nearestModels(word, models)
  const hint =
    near.length === 0 ? 'use provider/model, such as openai/gpt-5' : `did you mean ${near.join(', ')}?`
  throw new PipeError('usage', `unknown model ${JSON.stringify(name)}; ${hint}`)
}

/** Returns the newest model of a family, such as `sonnet`, that a usable provider has: the data lists it first. */
export function newestOf(
  family: string,
  models: readonly ModelInfo[],
  usable: ReadonlySet<string>,
): string | undefined {
  const its = models.filter(
    ({ id, provider }) => usable.has(provider) && bareName(id).split('-').includes(family),
  )
  const [newest] = distinct(its)
  return newest && fullName(newest)
}

/** Returns the ways to match a model, strictest first. All but the first ignore case and treat dots as dashes. */
function matchersFor(name: string, word: string): readonly ((model: ModelInfo) => boolean)[] {
  return [
    (model) => fullName(model) === name,
    ({ id }) => spelling(id) === spelling(name),
    ({ id }) => bareName(id) === word,
    ({ id }) => /\d/.test(word) && bareName(id).endsWith(`-${word}`),
    ({ id }) => word !== '' && bareName(id).includes(word),
  ]
}

/** Keeps the best entry of each model: its vendor's own, then the shortest id, which has no date. */
function distinct(models: readonly ModelInfo[]): readonly ModelInfo[] {
  const best = new Map<string, ModelInfo>()
  for (const model of models) {
    const name = bareName(model.id)
    const other = best.get(name)
    if (other === undefined || rank(model) < rank(other)) best.set(name, model)
  }
  return [...best.values()]
}

function rank({ id }: ModelInfo): number {
  return (id.includes('/') ? 1000 : 0) + id.length
}

/** Returns the given name if it is the model's id with a date. */
function withDate(id: string, name: string): string {
  return undated(name) === id && !name.endsWith('latest') ? name : id
}

function listed(models: readonly ModelInfo[]): string {
  return enumerate(models.map(fullName), maxListed.several)
}

/** Returns the models whose names share the most letter pairs with the word, at least half of the word's. */
function nearestModels(word: string, models: readonly ModelInfo[]): readonly string[] {
  const wanted = pairs(word)
  return distinct(models)
    .map((model) => {
      const its = pairs(bareName(model.id))
      return { model, shared: [...wanted].filter((pair) => its.has(pair)).length, size: its.size }
    })
    .filter(({ shared }) => shared > 0 && shared >= wanted.size / 2)
    .sort((a, b) => b.shared - a.shared || a.size - b.size)
    .slice(0, maxListed.near)
    .map(({ model }) => fullName(model))
}

function pairs(word: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, word.length - 1) }, (_, i) => word.slice(i, i + 2)))
}

function fullName({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`
}
