import type { ModelName } from '../../../config/models/model-name.ts'
import type { Settings } from '../../../config/settings.ts'
import { isLoopback } from '../../../machine/loopback.ts'
import type { ModelCatalog, ModelInfo } from '../../../model.ts'
import type { Machine } from '../../machine.ts'
import { findServers, keyHolder } from './chosen-server.ts'

export interface Knowledge {
  readonly settings: Settings
  readonly machine: Machine
  readonly catalog: (provider?: string) => Promise<ModelCatalog>
}

const free = { input: 0, output: 0 }

/**
 * Looks up a model in the catalog and the settings. Without a known price, recordings and local models that need no key cost nothing.
 * Throws `config`.
 */
export async function knownModel(
  { provider, model }: ModelName,
  { settings, machine, catalog }: Knowledge,
): Promise<ModelInfo | undefined> {
  const info = (await catalog(provider)).find(provider, model)
  if (info?.price !== undefined || !isFree(provider, settings, machine)) return info
  return { provider, id: model, ...info, price: free }
}

function isFree(provider: string, settings: Settings, { env }: Machine): boolean {
  if (provider === 'replay') return true
  if (keyHolder(provider, settings).apiKeyEnv !== undefined) return false
  return findServers(provider, settings, env).every(({ baseUrl }) => isLoopback(baseUrl))
}
