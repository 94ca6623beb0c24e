import { parseModelName } from '../config/model-name.ts'
import type { Candidate, ModelChoice, Routing } from '../engine.ts'
import { PipeError } from '../error.ts'
import { present } from '../present.ts'
import { type ModelSources, openModel } from './model.ts'
import { providerNames } from './server.ts'

/** Who may answer for the chosen model, as the settings say. Throws `config` for a provider that there is none of. */
export async function openRouting(sources: ModelSources): Promise<Routing | undefined> {
  const { routes = {}, fallback = [], prefer = 'order' } = sources.settings
  const routed = [...new Set(Object.values(routes))]
  if (routed.length === 0 && fallback.length === 0) return undefined
  const [candidates, others] = await Promise.all([
    Promise.all(routed.map((text) => candidate(text, sources))),
    Promise.all(fallback.map((text) => candidate(text, sources))),
  ])
  return { candidates, fallback: others, prefer }
}

async function candidate(text: string, sources: ModelSources): Promise<Candidate> {
  const { provider, model } = parseModelName(text)
  const { settings } = sources
  if (provider !== 'replay' && !providerNames(settings).includes(provider)) {
    throw new PipeError('config', `${text} in routes or fallback: no provider is called ${provider}`)
  }
  const info = (await sources.catalog()).find(provider, model)
  let opened: Promise<ModelChoice> | undefined
  return {
    name: `${provider}/${model}`,
    ...present({ info }),
    open: () => {
      opened ??= openModel(text, sources)
      return opened
    },
  }
}
