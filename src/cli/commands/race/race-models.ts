import type { Flags } from '../../flags.ts'
import { usageError } from '../../flags.ts'

/** Models in one race, at most: each costs as much as a run of its own. */
const mostRacers = 8

/** Reads the models of `-m a,b` or `-m a -m b`. Throws `usage` unless there are two to eight. */
export function readModels(flags: Flags): readonly string[] {
  const models = flags.all('model').flatMap((list) => list.split(','))
  const named = models.map((model) => model.trim()).filter((model) => model !== '')
  if (named.length >= 2 && named.length <= mostRacers) return named
  const found = named.length === 0 ? 'none' : String(named.length)
  throw usageError(
    `pipe race needs 2 to ${mostRacers} models, such as -m strong,fast; given: ${found}`,
    'pipe race --help',
  )
}

/** Names each model's result after the race and the model: an id that tells both. */
export function nameResults(race: string, models: readonly string[]): readonly string[] {
  const used = new Map<string, number>()
  return models.map((model) => {
    const word = model.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
    const name = word.slice(-longestName).replace(/^-/, '') || 'model'
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    return `${race}-${name}${count === 1 ? '' : `-${count}`}`
  })
}

/** Characters of a model's name in an id. The end of it tells models apart. */
const longestName = 40
