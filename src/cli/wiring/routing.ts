import { parseModelName } from '../../config/model-name.ts'
import type { Candidate, ModelChoice, Routing } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { ModelInfo } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { knownModel } from './known-model.ts'
import { type ModelSources, openModel } from './model.ts'
import { providerNames } from './server.ts'

/** Opens the models that may replace the chosen one, and the one for summaries. Throws `config` for an unknown provider. */
export async function openRouting(sources: ModelSources): Promise<Routing | undefined> {
  const { routes = {}, fallback = [], prefer = 'order' } = sources.settings
  if (Object.keys(routes).length === 0 && fallback.length === 0) return undefined
  const { summary, ...answering } = routes
  // A route called `vision` accepts images, even if the catalog does not know.
  const routed = Object.entries(answering).map(([name, text]) =>
    candidate(text, sources, name === 'vision' ? { images: true } : {}),
  )
  const others = fallback.map((text) => candidate(text, sources))
  return {
    candidates: await Promise.all(routed),
    fallback: await Promise.all(others),
    prefer,
    ...omitUndefined({ summary: summary === undefined ? undefined : await candidate(summary, sources) }),
  }
}

async function candidate(
  text: string,
  sources: ModelSources,
  presumed: Partial<ModelInfo> = {},
): Promise<Candidate> {
  const name = parseModelName(text)
  const { provider, model } = name
  const { settings } = sources
  if (provider !== 'replay' && !providerNames(settings).includes(provider)) {
    throw new PipeError('config', `${text} in routes or fallback: unknown provider ${provider}`)
  }
  const info = {
    provider,
    id: model,
    ...presumed,
    ...(await knownModel(name, sources)),
  }
  let opened: Promise<ModelChoice> | undefined
  return {
    name: `${provider}/${model}`,
    info,
    open: () => {
      opened ??= openModel(text, sources)
      return opened
    },
  }
}
