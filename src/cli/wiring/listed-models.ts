import { openCatalog } from '../../catalog/catalog.ts'
import type { ModelFacts } from '../../catalog/row.ts'
import type { Settings } from '../../config/settings.ts'
import type { ModelCatalog } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Machine } from '../machine.ts'
import { findKey, openKeys } from './keys.ts'
import { findLocalModels, type LocalModels, type LocalSearch } from './local-servers.ts'
import { keyHolder, ownServer, providerNames } from './server.ts'

/** A model in the list. */
export interface ListedModel {
  /** `provider/id`. */
  readonly name: string
  readonly facts: ModelFacts
  /** The reason why it is not usable now. */
  readonly missing?: string
}

export interface FoundModels {
  /** Usable ones first. */
  readonly models: readonly ListedModel[]
  /** Servers that do not run and have no known models. */
  readonly silent: readonly ListedModel[]
}

const notRunning = 'not running'

/** Finds the models of the catalog, the settings and the local servers that answer within 1 s. Throws `config`. */
export async function findModels(search: LocalSearch): Promise<FoundModels> {
  const { settings, machine } = search
  const [catalog, stored, answers] = await Promise.all([
    openCatalog(settings.models),
    openKeys(machine),
    findLocalModels(search),
  ])
  const missing = (provider: string) => {
    const holder = keyHolder(provider, settings)
    if (holder.apiKeyEnv === undefined)
      return answers.some(({ server }) => server.name === provider) ? undefined : notRunning
    return findKey(holder, { env: machine.env, stored }) === undefined
      ? `export ${holder.apiKeyEnv}=…`
      : undefined
  }
  const sources = { catalog, settings, answers, missing }
  const models = gather(sources)
  return { models, silent: silentServers(models, sources) }
}

/** Lists the models of the catalog and the settings that a key makes usable, without asking any server. Throws `config`. */
export async function modelsWithKey(machine: Machine, settings: Settings): Promise<readonly ListedModel[]> {
  const [catalog, stored] = await Promise.all([openCatalog(settings.models), openKeys(machine)])
  const missing = (provider: string) => {
    const holder = keyHolder(provider, settings)
    return findKey(holder, { env: machine.env, stored }) === undefined ? 'no key' : undefined
  }
  return gather({ catalog, settings, answers: [], missing }).filter((model) => model.missing === undefined)
}

interface Sources {
  readonly catalog: ModelCatalog
  readonly settings: Settings
  readonly answers: readonly LocalModels[]
  /** Returns the reason why a provider is not usable now. */
  readonly missing: (provider: string) => string | undefined
}

/** Collects the models of all providers without duplicates, usable ones first. */
function gather({ catalog, settings, answers, missing }: Sources): readonly ListedModel[] {
  const known = catalog.list()
  const models = providerNames(settings).flatMap((provider) => {
    const ids = [
      ...known.filter((model) => model.provider === provider).map(({ id }) => id),
      ...(ownServer(provider, settings)?.models ?? []),
      ...answers.filter(({ server }) => server.name === provider).flatMap((answer) => answer.models),
    ]
    const reason = omitUndefined({ missing: missing(provider) })
    return [...new Set(ids)].map(
      (id): ListedModel => ({
        name: `${provider}/${id}`,
        facts: catalog.find(provider, id) ?? {},
        ...reason,
      }),
    )
  })
  return [
    ...models.filter((model) => model.missing === undefined),
    ...models.filter((model) => model.missing !== undefined),
  ]
}

function silentServers(
  models: readonly ListedModel[],
  { settings, missing }: Sources,
): readonly ListedModel[] {
  return providerNames(settings)
    .filter((provider) => missing(provider) === notRunning)
    .filter((provider) => !models.some(({ name }) => name.startsWith(`${provider}/`)))
    .map((provider) => ({ name: `${provider}/…`, facts: {}, missing: notRunning }))
}
