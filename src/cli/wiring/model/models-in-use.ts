import { type AutoRoute, autoRoute, type FirstRequest } from '../../../config/models/auto-route.ts'
import { parseModelName } from '../../../config/models/model-name.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import { type Candidate, infoOf, type ModelChoice, modelName, type Routing } from '../../../engine.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { ModelInfo } from '../../../model.ts'
import type { Session } from '../../../session.ts'
import { nameModelSource } from '../read-settings.ts'
import { openRecording, type RunRecording } from '../session/recording.ts'
import type { WireContext } from '../wire-context.ts'
import { chooseModel, lazyCatalog, type ModelSources, openModel } from './chosen-model.ts'
import { CurrentModel } from './current-model.ts'
import { openRouting } from './routing.ts'

/** The models of a conversation. */
export interface ModelsInUse {
  readonly current: CurrentModel
  /** Returns the same choice for another conversation. */
  anew(): CurrentModel
  /** Notices to the user about the choice. */
  readonly notices: readonly string[]
  readonly routing: Routing | undefined
  /** Opens a model of the route `fast`, if there is one, for requests that are not recorded. */
  readonly fast: (() => Promise<ModelChoice>) | undefined
  /** Opens another model, `provider/model[:level]`. Throws `usage`, `config`, `auth`. */
  open(text: string): Promise<ModelChoice>
  /** Returns the context size of a `provider/model` in tokens, if known. */
  contextWindow(model: string): number | undefined
  /** Whether a `provider/model` is known to take no images, and no other one stands in for it. */
  isBlind(model: string): boolean
}

/** Chooses the model and its fallbacks. With `--record`, records their replies. */
export async function openModels(
  { machine, choices, signal, loaded, closing }: WireContext,
  session: Session | undefined,
  transport: Transport,
): Promise<ModelsInUse> {
  const { settings, layers } = loaded
  const catalog = lazyCatalog(settings)
  const { model: configuredModel } =
    layers.findLast(({ source, settings: { model } }) => source.type !== 'flag' && model !== undefined)
      ?.settings ?? {}
  const sources = { choices, settings, configuredModel, session, machine, transport, signal, catalog }
  const chosenFor = choices.model === undefined ? session : undefined
  const chosen = await chooseModel(sources).catch(nameModelSource(layers, chosenFor))
  const { notices, strong } = chosen
  const recording = await openRecording(choices.record, machine.cwd)
  const routing = recorded(await openRouting(chosen, sources), recording)
  closing.add(() => recording.save())
  const known = new Map<string, () => ModelInfo | undefined>()
  for (const { name, info } of [...(routing?.candidates ?? []), ...(routing?.fallback ?? [])])
    known.set(name, () => info)
  const use = (model: ModelChoice) => {
    known.set(modelName(model), () => infoOf(model))
    return recording.record(model)
  }
  const choice = use(chosen.choice)
  const decide = strong && decider({ fast: choice, strong: use(strong) })
  const anew = () => new CurrentModel(choice, decide, chosen.origin)
  return {
    current: anew(),
    anew,
    notices,
    routing,
    fast: readModelRoute('fast', settings).length === 0 ? undefined : () => openModel('fast', sources),
    // A level that the user names now is newer than that of the flag.
    open: async (text) => use(await openModel(text, withoutLevel(sources, text))),
    contextWindow: (name) => known.get(name)?.()?.contextWindow,
    isBlind: (name) =>
      known.get(name)?.()?.images === false &&
      (routing?.candidates ?? []).every(({ info }) => info?.images === false),
  }
}

/** Records the replies of the models that may replace the chosen one. */
function recorded(routing: Routing | undefined, { record }: RunRecording): Routing | undefined {
  const each = (candidate: Candidate): Candidate => ({
    ...candidate,
    open: async () => record(await candidate.open()),
  })
  return (
    routing && {
      ...routing,
      candidates: routing.candidates.map(each),
      fallback: routing.fallback.map(each),
    }
  )
}

/** Drops the level of the flag if a name has one of its own. */
function withoutLevel(sources: ModelSources, text: string): ModelSources {
  if (!text.includes('/') || parseModelName(text).thinking === undefined) return sources
  const { thinking: _, ...choices } = sources.choices
  return { ...sources, choices }
}

function decider(models: Readonly<Record<AutoRoute['route'], ModelChoice>>) {
  return (request: FirstRequest): ModelChoice => {
    const { route, reason } = autoRoute(request)
    return { ...models[route], reason: `auto took the route ${route}, as ${reason}` }
  }
}
