import { modelsOf } from '../../config/routes.ts'
import { builtinServers } from '../../config/servers.ts'
import type { Settings } from '../../config/settings.ts'
import type { OfferedModel } from '../../offered-model.ts'
import type { Machine } from '../machine.ts'
import { findKey, openKeys } from './keys.ts'
import { findModels, type ListedModel, modelsWithKey } from './listed-models.ts'
import { openTransport } from './network.ts'
import { findServer, keyHolder } from './server.ts'

/** The places to look for models. */
export interface OfferSearch {
  readonly machine: Machine
  readonly settings: Settings
  readonly signal: AbortSignal
}

/**
 * Offers the models that a key makes usable at once, then those of local servers, which get 1 s to answer, and last all others with what
 * they need. Throws `config`.
 */
export async function* offerModels({
  machine,
  settings,
  signal,
}: OfferSearch): AsyncGenerator<readonly OfferedModel[], undefined, undefined> {
  const withKey = await modelsWithKey(machine, settings)
  yield withKey.map(asOffer)
  const transport = openTransport(machine, settings)
  try {
    const { models, silent } = await findModels({ settings, machine, transport, signal })
    const offered = new Set(withKey.map(({ name }) => name))
    const others = [...models, ...silent].filter(({ name }) => !offered.has(name))
    yield others.map((model) => withRemedy(model, settings))
  } finally {
    transport.close()
  }
}

/**
 * Lists the models that the user is likely to switch between: those that the settings name, then the default of each provider that has a
 * key. Leaves out those whose key is missing. Throws `config`.
 */
export async function usualModels({
  machine,
  settings,
}: Omit<OfferSearch, 'signal'>): Promise<readonly string[]> {
  const sources = { env: machine.env, stored: await openKeys(machine) }
  const isUsable = (provider: string) => {
    const holder = keyHolder(provider, settings)
    return holder.apiKeyEnv === undefined || findKey(holder, sources) !== undefined
  }
  const named = namedModels(settings).filter((name) => isUsable(name.slice(0, name.indexOf('/'))))
  const defaults = builtinServers
    .filter(({ name, apiKeyEnv }) => apiKeyEnv !== undefined && isUsable(name))
    .flatMap(({ name }) => {
      const model = findServer(name, settings, machine.env).defaultModel
      return model === undefined ? [] : [`${name}/${model}`]
    })
  return [...new Set([...named, ...defaults])]
}

function namedModels({ model = '', routes = {}, fallback = [] }: Settings): readonly string[] {
  const routed = Object.entries(routes).flatMap(([name, route]) =>
    name === 'embedding' ? [] : modelsOf(route),
  )
  // The model may also be the name of a route or a part of an id.
  return [model, ...routed, ...fallback].filter((name) => name.includes('/'))
}

function asOffer({ name, facts }: ListedModel): OfferedModel {
  return { name, facts }
}

/** Says what helps here, where keys are stored with a command. */
function withRemedy({ name, facts, missing }: ListedModel, settings: Settings): OfferedModel {
  if (missing === undefined) return { name, facts }
  const [provider = ''] = name.split('/')
  const needsKey = keyHolder(provider, settings).apiKeyEnv !== undefined
  return { name, facts, missing: needsKey ? `no key: /login ${provider}` : missing, needsKey }
}
