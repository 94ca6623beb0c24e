import { parseModelName } from '../../../config/models/model-name.ts'
import { modelsOf, readModelRoute } from '../../../config/models/route-models.ts'
import type { Candidate, ModelChoice, Routing } from '../../../engine.ts'
import { PipeError } from '../../../error.ts'
import type { ModelInfo } from '../../../model.ts'
import { type ChosenModel, type ModelSources, meantModel, openModel, readName } from './chosen-model.ts'
import { providerNames } from './chosen-server.ts'
import { knownModel } from './known-model.ts'

/**
 * Opens the models that may replace the chosen one, first the others of its route, and those for summaries. Throws `config` for an
 * unknown provider.
 */
export async function openRouting(
  { route }: Pick<ChosenModel, 'route'>,
  sources: ModelSources,
): Promise<Routing | undefined> {
  const { routes = {}, fallback = [], prefer = 'order' } = sources.settings
  if (Object.keys(routes).length === 0 && fallback.length === 0) return undefined
  const { summary = [], embedding: _, ...answering } = routes
  // A route called `vision` accepts images, even if the catalog does not know.
  const routed = Object.entries(answering).flatMap(([name, models]) =>
    modelsOf(models).map((text) => candidate(text, sources, name === 'vision' ? { images: true } : {})),
  )
  const replacing = await Promise.all(fallback.map((text) => nameInFull(text, sources)))
  const open = (texts: readonly string[]) => Promise.all(texts.map((text) => candidate(text, sources)))
  return {
    candidates: await Promise.all(routed),
    // The model that is asked is in its route too, and is not tried twice.
    fallback: await open([...route, ...replacing]),
    prefer,
    summary: await open(modelsOf(summary)),
  }
}

/** Names a fallback as settings do, where a script of another agent shortens it. */
async function nameInFull(text: string, sources: ModelSources): Promise<string> {
  if (text.includes('/') || sources.choices.takesPeerWords !== true) return text
  const { model } = (await meantModel(text, sources)) ?? { model: text }
  const [first = model] = readModelRoute(model, sources.settings)
  const named = await readName(first, sources)
  return `${named.provider}/${named.model}`
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
