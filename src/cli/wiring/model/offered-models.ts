import { builtinServers } from '../../../config/models/servers.ts'
import type { Settings } from '../../../config/settings.ts'
import type { OfferedModel } from '../../../frontend/offered-model.ts'
import type { Machine } from '../../machine.ts'
import { findServer, keyHolder } from './chosen-server.ts'
import { findModels, type ListedModel, modelsWithKey, namedModels } from './listed-models.ts'
import { openTransport } from './open-network.ts'
import { findKey, openKeys } from './provider-keys.ts'

/** The places to look for models. */
export interface OfferSearch {
  readonly machine: Machine
  readonly settings: Settings
  readonly signal: AbortSignal
  /** The model in use, `provider/id`, which is always offered. */
  readonly current?: string | undefined
}

/**
 * Offers the models that a key makes usable at once, then those that servers list in time, and last all others with what they need.
 * Throws `config`.
 */
export async function* offerModels({
  machine,
  settings,
  signal,
  current,
}: OfferSearch): AsyncGenerator<readonly OfferedModel[], undefined, undefined> {
  const withKey = await modelsWithKey(machine, settings, current)
  yield withKey.map(asOffer)
  const transport = openTransport(machine, settings)
  try {
    const { models, silent } = await findModels({ settings, machine, transport, signal }, current)
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
}: Pick<OfferSearch, 'machine' | 'settings'>): Promise<readonly string[]> {
  const sources = { env: machine.env, stored: await openKeys(machine) }
  const isUsable = (provider: string) => {
    const holder = keyHolder(provider, settings)
    return holder.apiKeyEnv === undefined || findKey(holder, sources) !== undefined
  }
  const { models = {}, providers = {} } = settings
  const listed = Object.entries(providers).flatMap(([name, server]) =>
    (server.models ?? []).map((id) => `${name}/${id}`),
  )
  const named = [...namedModels(settings), ...Object.keys(models), ...listed].filter((name) =>
    isUsable(name.slice(0, name.indexOf('/'))),
  )
  const defaults = builtinServers
    .filter(({ name, apiKeyEnv }) => apiKeyEnv !== undefined && isUsable(name))
    .flatMap(({ name }) => {
      const model = findServer(name, settings, machine.env).defaultModel
      return model === undefined ? [] : [`${name}/${model}`]
    })
  return [...new Set([...named, ...defaults])]
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
