import { readPeerModel } from '../../../config/agents/peer-agents.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import type { ModelCatalog } from '../../../model.ts'
import type { Choices } from '../run-choices.ts'

/** The model that a word stands for, with a notice if the user may not expect it. */
export interface MeantModel {
  readonly model: string
  readonly notice?: string
}

export interface PeerWordSources {
  readonly choices: Pick<Choices, 'takesPeerWords'>
  readonly settings: Settings
  readonly catalog: () => Promise<ModelCatalog>
  /** Returns the model of a run that names none, if it is known. */
  readonly usual: () => Promise<string | undefined>
  /** Returns the providers whose keys are known. */
  readonly usable: () => Promise<ReadonlySet<string>>
}

/**
 * Reads a word that another agent has for a size of model, where a script of that agent may name one: the route that stands for it, as in
 * files of its agents, else the newest model of that family, else the usual model. `undefined` for any other text, and for a route.
 */
export async function meantByPeerWord(
  text: string,
  { choices, settings, catalog, usual, usable }: PeerWordSources,
): Promise<MeantModel | undefined> {
  if (choices.takesPeerWords !== true || readModelRoute(text, settings).length > 0) return undefined
  const peer = readPeerModel(text)
  if (peer === undefined || peer.model !== undefined) return undefined
  const { route } = peer
  if (route !== undefined && readModelRoute(route, settings).length > 0) return { model: route }
  const { newestOf } = await import('../../../catalog/resolve.ts')
  const family = text.replace(/\[[^\]]*\]$/, '')
  const newest = route && newestOf(family, (await catalog()).list(), await usable())
  if (newest !== undefined) return { model: newest }
  const model = await usual()
  if (model === undefined) return undefined
  return route === undefined
    ? { model }
    : { model, notice: `${text}: your settings have no route ${route}, so the usual model answers` }
}
