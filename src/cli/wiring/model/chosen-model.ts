import { type ModelName, parseModelName } from '../../../config/models/model-name.ts'
import { purposes, readModelRoute } from '../../../config/models/route-models.ts'
import { builtinServers } from '../../../config/models/servers.ts'
import type { Settings } from '../../../config/settings.ts'
import type { ModelChoice } from '../../../engine.ts'
import { hasCode, PipeError } from '../../../error.ts'
import { byLeast } from '../../../history/by-least.ts'
import type { AskWindow } from '../../../http/dialect/served-window.ts'
import type { Dialect, Server, ServerAccess } from '../../../machine/model-server.ts'
import type { Transport } from '../../../machine/transport.ts'
import { type ModelCatalog, type ModelInfo, overallPrice } from '../../../model.ts'
import { createChatProvider } from '../../../openai/chat/provider.ts'
import type { Provider } from '../../../provider.ts'
import type { Session } from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import type { Choices } from '../run-choices.ts'
import { findServer, keyHolder, ownModels, providerNames } from './chosen-server.ts'
import { defaultModelOf } from './default-model.ts'
import { knownModel } from './known-model.ts'
import { locateServer } from './local-servers.ts'
import { namelessServers, noModel } from './missing-model.ts'
import { type MeantModel, meantByPeerWord } from './peer-word.ts'
import { findKey, type KeyHolder } from './provider-keys.ts'
import { findServerKey, keyRemedy, keySources } from './server-key.ts'

export interface ModelSources {
  readonly choices: Pick<
    Choices,
    'model' | 'usualModel' | 'mayGuessModel' | 'takesPeerWords' | 'thinking' | 'interactive'
  >
  readonly settings: Settings
  /** The model that files and variables name, whatever the flags say. */
  readonly configuredModel?: string | undefined
  /** The resumed session, whose model continues: the one set, or in files without it the last speaker. */
  readonly session: Session | undefined
  readonly machine: Machine
  readonly transport: Transport
  readonly signal: AbortSignal
  /** Returns known facts about the models of all providers or one. Loaded on first use. */
  readonly catalog: (provider?: string) => Promise<ModelCatalog>
}

/**
 * Opens the catalog on first use, with the settings' corrections. User-defined providers are not in it, so it is not loaded for
 * them.
 */
export function lazyCatalog({ models }: Settings): ModelSources['catalog'] {
  let opened: Promise<ModelCatalog> | undefined
  return async (provider) => {
    const { createCatalog, openCatalog } = await import('../../../catalog/catalog.ts')
    if (provider !== undefined && !isCatalogued(provider)) return createCatalog({ models: {} }, models)
    opened ??= openCatalog(models)
    return opened
  }
}

function isCatalogued(provider: string): boolean {
  return builtinServers.some(({ name, apiKeyEnv }) => name === provider && apiKeyEnv !== undefined)
}

/** Names the source of the model: the caller of the run, the session, settings, the first key, a local server, or the user since. */
export type ModelOrigin = 'run' | 'session' | 'settings' | 'key' | 'server' | 'user'

/** The chosen model, with notices to the user about the choice. */
export interface ChosenModel {
  readonly choice: ModelChoice
  readonly origin: ModelOrigin
  /** All models of the route that was chosen, as `provider/model[:level]`. Empty if none was. */
  readonly route: readonly string[]
  /** The model for hard requests, if the first message decides between it and `choice`. */
  readonly strong?: ModelChoice
  readonly notices: readonly string[]
}

/** Chooses the model, in this order: flag, the session's model, settings, a key, a local server. */
export async function chooseModel(sources: ModelSources): Promise<ChosenModel> {
  const { choices, settings, session } = sources
  const named = choices.model ?? sessionModel(session) ?? choices.usualModel
  const ofSession = choices.model === undefined && sessionModel(session) !== undefined
  const ofRun = ofSession ? 'session' : 'run'
  if (typeof named === 'object') return { choice: named, origin: ofRun, route: [], notices: [] }
  const usual = named ?? usualName(settings, session)
  const text = usual ?? (await modelOfKey(sources))
  const origin = named !== undefined ? ofRun : usual !== undefined ? 'settings' : 'key'
  if (text === auto && readModelRoute(auto, settings).length === 0) return openBoth(sources, origin)
  if (text !== undefined) {
    const { model, notice } = (await meantModel(text, sources)) ?? { model: text }
    return {
      choice: await openModel(model, sources),
      origin,
      route: readModelRoute(model, settings),
      notices: notice === undefined ? [] : [notice],
    }
  }
  const nameless = await namelessServers(sources.machine, settings)
  if (choices.mayGuessModel === false) throw noModel(nameless)
  const { guessModel, describeGuess } = await import('./guessed-model.ts')
  const { found, rejected } = await guessModel(sources)
  if (found === undefined) throw noModel([...nameless, ...rejected])
  const { name, server } = found
  const choice = await openNamed(name, sources, server)
  return { choice, origin: 'server', route: [], notices: [describeGuess(found)] }
}

/** Stands for the routes `fast` and `strong`, between which the first message decides. A route of this name comes first. */
const auto = 'auto'

async function openBoth(sources: ModelSources, origin: ModelOrigin): Promise<ChosenModel> {
  const [fast, strong] = ['fast', 'strong'].map((name) => readModelRoute(name, sources.settings))
  if (!fast?.length || !strong?.length)
    throw new PipeError('config', 'auto decides between two routes: set routes.fast and routes.strong')
  return {
    choice: await openModel('fast', sources),
    strong: await openModel('strong', sources),
    origin,
    route: [...strong, ...fast],
    notices: [],
  }
}

/**
 * Opens a model by name: `provider/model[:level]`, a route, a provider (its default model), or an unambiguous part of an
 * id. Of a route, opens the first model that has a key. The chosen thinking level overrides the name's. Throws `usage`, `config`, `auth`.
 */
export async function openModel(text: string, sources: ModelSources): Promise<ModelChoice> {
  const meant = await meantModel(text, sources)
  if (meant !== undefined) return openModel(meant.model, sources)
  const route = readModelRoute(text, sources.settings)
  if (text === auto && route.length === 0)
    throw new PipeError('usage', 'auto decides at the start of a run, with -m auto: name a model or a route')
  if (route.length === 0 && purposes.includes(text))
    throw new PipeError('config', `the route ${text} names no model: set routes.${text} in your settings`)
  const [first = text, ...others] = await preferred(route, sources)
  try {
    return await openNamed(first, sources)
  } catch (error) {
    for (const other of others) {
      const opened = await openNamed(other, sources).catch(keylessOnly)
      if (opened !== undefined) return opened
    }
    throw error
  }
}

function keylessOnly(error: unknown): undefined {
  if (!hasCode(error, 'auth')) throw error
}

/** Sorts the models of a route by price if the settings prefer that. How fast they answer is not known yet. */
async function preferred(route: readonly string[], sources: ModelSources): Promise<readonly string[]> {
  if (sources.settings.prefer !== 'cost' || route.length < 2) return route
  const known = await Promise.all(
    route.map(async (text) => ({ text, info: await knownModel(parseModelName(text), sources) })),
  )
  return byLeast(known, ({ info }) => info?.price && overallPrice(info.price)).map(({ text }) => text)
}

async function openNamed(text: string, sources: ModelSources, server?: Server): Promise<ModelChoice> {
  const name = await readName(text, sources)
  const info = await knownModel(name, sources)
  const opened = await openProvider(name, { info, server }, sources)
  return {
    ...opened,
    model: name.model,
    thinking: sources.choices.thinking ?? name.thinking,
    info,
  }
}

/** Reads the name of a model in full, or shortened. Throws `usage`. */
export async function readName(text: string, sources: ModelSources): Promise<ModelName> {
  if (/\/./.test(text)) return parseModelName(text)
  // `provider/` names no model, so its default is meant.
  const ofProvider = await defaultModelOf(text.replace(/\/$/, ''), sources)
  if (ofProvider !== undefined) return parseModelName(ofProvider)
  const { resolveModel } = await import('../../../catalog/resolve.ts')
  const models = [...ownModels(sources.settings), ...(await sources.catalog()).list()]
  return parseModelName(resolveModel(text, models, await usableProviders(sources)))
}

/** Returns the providers whose keys are known, or that need none. */
async function usableProviders({ settings, machine }: ModelSources): Promise<ReadonlySet<string>> {
  const keys = await keySources(machine)
  const isUsable = (holder: KeyHolder) =>
    holder.apiKeyEnv === undefined || findKey(holder, keys) !== undefined
  return new Set(providerNames(settings).filter((name) => isUsable(keyHolder(name, settings))))
}

/** Reads a word of another agent, where one may name a model so. */
export function meantModel(text: string, sources: ModelSources): Promise<MeantModel | undefined> {
  const { configuredModel, settings } = sources
  const hasDefault = readModelRoute('default', settings).length > 0
  return meantByPeerWord(text, {
    ...sources,
    usual: async () => configuredModel ?? (hasDefault ? 'default' : modelOfKey(sources)),
    usable: () => usableProviders(sources),
  })
}

/** Returns the model of a session, or the one in the settings; the first of a route. */
export function usualModel(settings: Settings, session: Session | undefined): string | undefined {
  const name = usualName(settings, session)
  return name === undefined ? undefined : (readModelRoute(name, settings)[0] ?? name)
}

/** Returns the model of a session, or the one in the settings; a route by its name. */
function usualName(settings: Settings, session: Session | undefined): string | undefined {
  const hasDefault = readModelRoute('default', settings).length > 0
  return sessionModel(session) ?? settings.model ?? (hasDefault ? 'default' : undefined)
}

function sessionModel(session: Session | undefined): string | undefined {
  return session?.model ?? lastSpeaker(session)
}

function lastSpeaker(session: Session | undefined): string | undefined {
  const last = session?.messages.findLast((message) => message.type === 'assistant')
  return last?.provider === undefined || last.model === undefined
    ? undefined
    : `${last.provider}/${last.model}`
}

/** Creates the provider of a dialect. */
export function createProvider(dialect: Dialect, access: ServerAccess): Promise<Provider> {
  return creators[dialect](access)
}

/** Loaded on first use, except the commonest. */
const creators: Readonly<Record<Dialect, (access: ServerAccess) => Promise<Provider>>> = {
  'openai-chat': async (access) => createChatProvider(access),
  'openai-responses': async (access) =>
    (await import('../../../openai/responses/provider.ts')).createResponsesProvider(access),
  anthropic: async (access) =>
    (await import('../../../anthropic/provider.ts')).createAnthropicProvider(access),
  gemini: async (access) => (await import('../../../google/provider.ts')).createGeminiProvider(access),
  ollama: async (access) => (await import('../../../ollama/provider.ts')).createOllamaProvider(access),
}

const openaiWindow = async () => (await import('../../../openai/window.ts')).openaiWindow

/** Asks local servers for a model's context window, in the dialects that report it. */
const windows: Readonly<Partial<Record<Dialect, () => Promise<AskWindow>>>> = {
  'openai-chat': openaiWindow,
  'openai-responses': openaiWindow,
  ollama: async () => (await import('../../../ollama/window.ts')).ollamaWindow,
}

/** Opens the provider of a model. Asks a local server for the context window of an unknown model. */
async function openProvider(
  name: ModelName,
  { info, server: known }: { readonly info: ModelInfo | undefined; readonly server: Server | undefined },
  sources: ModelSources,
): Promise<Pick<ModelChoice, 'provider' | 'servedWindow'>> {
  const { settings, machine, transport } = sources
  const { newId, clock } = machine
  if (name.provider === 'replay') return { provider: await openReplayed(name.model, machine) }
  const server = known ?? (await locateServer(name, sources))
  const apiKey = await findServerKey(server.name, settings, machine)
  // Preloads while the first message is written to disk, when nothing else runs.
  setImmediate(() => transport.prepare?.(server.baseUrl))
  const remedy = keyRemedy(server.name, settings, machine)
  const access = { ...server, apiKey, keyRemedy: remedy, transport, newId, clock }
  const provider = await createProvider(server.dialect, access)
  const openQuestion = info?.contextWindow === undefined ? windows[server.dialect] : undefined
  if (openQuestion === undefined) return { provider }
  const { isNearby, withServedWindow } = await import('../../../http/dialect/served-window.ts')
  if (!isNearby(server.baseUrl)) return { provider }
  const question = { askWindow: await openQuestion(), atOnce: sources.choices.interactive }
  return withServedWindow(provider, access, name.model, question)
}

async function openReplayed(script: string, machine: Machine): Promise<Provider> {
  return (await import('../session/open-replay.ts')).openReplay(script, machine)
}

/** Returns the default model of the first server with a known key. */
async function modelOfKey({ machine, settings }: ModelSources): Promise<string | undefined> {
  const keys = await keySources(machine)
  for (const { name, apiKeyEnv } of builtinServers) {
    if (apiKeyEnv === undefined || findKey(keyHolder(name, settings), keys) === undefined) continue
    const model = findServer(name, settings, machine.env).defaultModel
    if (model !== undefined) return `${name}/${model}`
  }
  return undefined
}
