import { openCatalog } from '../../../catalog/catalog.ts'
import type { ModelFacts } from '../../../catalog/model-row.ts'
import { modelPattern, parseModelName } from '../../../config/models/model-name.ts'
import { modelsOf } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import type { ModelCatalog, ModelInfo } from '../../../model.ts'
import type { Machine } from '../../machine.ts'
import {
  findServer,
  isConfigured,
  isElsewhere,
  keyHolder,
  ownServer,
  providerNames,
} from './chosen-server.ts'
import {
  askServers,
  findAnswers,
  type KeyedServer,
  keylessServers,
  type LocalModels,
  type LocalSearch,
} from './local-servers.ts'
import { findKey, type KeySources, openKeys } from './provider-keys.ts'

/** A model in the list. */
export interface ListedModel {
  /** `provider/id`. */
  readonly name: string
  readonly facts: ModelFacts
  /** The reason why it is not usable now. */
  readonly missing?: string | undefined
}

export interface FoundModels {
  /** Usable ones first. */
  readonly models: readonly ListedModel[]
  /** Servers without known models: those that do not run, or have no list of them. */
  readonly silent: readonly ListedModel[]
}

const notRunning = 'not running'

/** How long configured servers that need a key may take, in milliseconds. They are often far away. */
const remoteMs = 3_000

/**
 * Finds the models of the catalog and the settings, and those that servers list: local ones that answer within 1 s, and configured ones
 * with a key within 3 s. Throws `config`.
 */
export async function findModels(search: LocalSearch, current?: string): Promise<FoundModels> {
  const { settings, machine } = search
  const [catalog, stored] = await Promise.all([openCatalog(settings.models), openKeys(machine)])
  const sources = { env: machine.env, stored }
  const answers = await Promise.all([
    findAnswers(keylessServers(search), search),
    askServers(configuredServers(search, sources), search, remoteMs),
  ])
  const missing = (provider: string) => {
    const holder = keyHolder(provider, settings)
    if (holder.apiKeyEnv === undefined)
      return answers.flat().some(({ server }) => server.name === provider) ? undefined : notRunning
    return findKey(holder, sources) === undefined ? `export ${holder.apiKeyEnv}=…` : undefined
  }
  const found = { catalog, settings, answers: answers.flat(), missing, current }
  const models = gather(found)
  return { models, silent: [...silentServers(models, found), ...unlistedServers(models, found)] }
}

/** Lists the servers of the settings, and those at an address of the user's own, whose key is known. */
function configuredServers({ settings, machine }: LocalSearch, sources: KeySources): readonly KeyedServer[] {
  return providerNames(settings).flatMap((name) => {
    const holder = keyHolder(name, settings)
    const key = holder.apiKeyEnv === undefined ? undefined : findKey(holder, sources)?.key
    if (key === undefined || !isConfigured(name, settings, machine.env)) return []
    return [{ ...findServer(name, settings, machine.env), key }]
  })
}

/**
 * Lists the models of the catalog and the settings that a key makes usable, with the current one, without asking any server. Throws
 * `config`.
 */
export async function modelsWithKey(
  machine: Machine,
  settings: Settings,
  current?: string,
): Promise<readonly ListedModel[]> {
  const [catalog, stored] = await Promise.all([openCatalog(settings.models), openKeys(machine)])
  const missing = (provider: string) => {
    const holder = keyHolder(provider, settings)
    return findKey(holder, { env: machine.env, stored }) === undefined ? 'no key' : undefined
  }
  const listed = gather({ catalog, settings, answers: [], missing, current })
  return listed.filter((model) => model.missing === undefined)
}

/** Lists the models of the catalog and the settings, usable or not, without asking any server. */
export async function allModels(settings: Settings): Promise<readonly ListedModel[]> {
  const catalog = await openCatalog(settings.models)
  return gather({ catalog, settings, answers: [], missing: () => undefined, current: undefined })
}

interface Sources {
  readonly catalog: ModelCatalog
  readonly settings: Settings
  readonly answers: readonly LocalModels[]
  /** Returns the reason why a provider is not usable now. */
  readonly missing: (provider: string) => string | undefined
  /** The model in use, `provider/id`. */
  readonly current: string | undefined
}

/** Collects the models of all providers without duplicates, usable ones first. */
function gather({ catalog, settings, answers, missing, current }: Sources): readonly ListedModel[] {
  const known = catalog.list()
  const named = [current ?? '', ...namedModels(settings)].filter((name) => modelPattern.test(name))
  const chosen = named.map(parseModelName)
  const models = providerNames(settings).flatMap((provider) => {
    const answered = answers.filter(({ server }) => server.name === provider)
    const served = answered.flatMap((answer) => answer.models)
    const isVendors = !answered.some(({ server }) => isElsewhere(server))
    const ids = [
      ...chosen.filter((one) => one.provider === provider).map(({ model }) => model),
      ...known.flatMap((model) =>
        model.provider === provider && (isVendors || served.includes(model.id) || isOwn(model, settings))
          ? [model.id]
          : [],
      ),
      ...(ownServer(provider, settings)?.models ?? []),
      ...served,
    ]
    const reason = { missing: missing(provider) }
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

/** Whether the settings give facts about a model. */
function isOwn({ provider, id }: ModelInfo, { models = {} }: Settings): boolean {
  return Object.hasOwn(models, `${provider}/${id}`)
}

/** The models that the settings name: the usual one, those of the routes and the fallbacks, each `provider/id`, perhaps with a level. */
export function namedModels({ model = '', routes = {}, fallback = [] }: Settings): readonly string[] {
  const routed = Object.entries(routes).flatMap(([name, route]) =>
    name === 'embedding' ? [] : modelsOf(route),
  )
  // The model may also be the name of a route or a part of an id.
  return [model, ...routed, ...fallback].filter((name) => name.includes('/'))
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

/** Names the servers that answer and have no list of their models. */
function unlistedServers(models: readonly ListedModel[], { answers }: Sources): readonly ListedModel[] {
  return answers
    .map(({ server }) => server.name)
    .filter((provider) => !models.some(({ name }) => name.startsWith(`${provider}/`)))
    .map((provider) => ({
      name: `${provider}/…`,
      facts: {},
      missing: `has no list: name a model, as in -m ${provider}/MODEL`,
    }))
}
