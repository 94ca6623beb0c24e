import type { LayeredSettings } from '../../../config/layers.ts'
import { isPipeError, PipeError, untilAborted } from '../../../error.ts'
import type { OfferedModel } from '../../../frontend/offered-model.ts'
import type { ServedModel, ServedModelName } from '../../../hono/backend.ts'
import { agentPrefix, usualName } from '../../../hono/chat/served-model-name.ts'
import type { Transport } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Machine } from '../../machine.ts'
import { readAgents } from '../../wiring/found-agents.ts'
import { chooseModel, lazyCatalog } from '../../wiring/model/chosen-model.ts'
import { keyHolder } from '../../wiring/model/chosen-server.ts'
import { findModels, type ListedModel } from '../../wiring/model/listed-models.ts'
import { openTransport } from '../../wiring/model/open-network.ts'
import { openRouting } from '../../wiring/model/routing.ts'
import { nameModelSource, openSettings } from '../../wiring/read-settings.ts'
import type { Choices } from '../../wiring/run-choices.ts'

/** Milliseconds for which a list of models counts, and an opened model. */
const listedMs = 5_000
const openedMs = 60_000
/** Names whose model is kept. */
const mostOpened = 100

interface OpenedModel {
  /** The settings that it was opened with, as JSON. */
  readonly settings: string
  readonly until: number
  readonly model: Promise<ServedModel>
}

/** The models that a server offers without a conversation. Whoever makes it closes it. */
export class ServedModels {
  readonly #machine: Machine
  readonly #usual: Choices
  readonly #closing = new AbortController()
  /** Keeps connections alive between requests. */
  #transport: Transport | undefined
  readonly #opened = new Map<string, OpenedModel>()
  #listed: { readonly until: number; readonly models: Promise<readonly ServedModelName[]> } | undefined

  /** `machine` is in the folder whose settings count. */
  constructor(machine: Machine, usual: Choices) {
    // The server tells warnings about the settings once, when it starts.
    this.#machine = { ...machine, warn: () => undefined }
    this.#usual = usual
  }

  /** Opens a model as `Backend.openModel` does, and again once the settings have changed, or after a minute. */
  async open(name: string | undefined, { signal }: { readonly signal: AbortSignal }): Promise<ServedModel> {
    const loaded = await openSettings(this.#machine, this.#usual)
    const settings = JSON.stringify(loaded.settings)
    const now = this.#machine.clock.monotonic()
    const key = name ?? ''
    const known = this.#opened.get(key)
    if (known !== undefined && known.settings === settings && now < known.until)
      return untilAborted(known.model, signal)
    if (this.#opened.size >= mostOpened) this.#opened.clear()
    const opened = { settings, until: now + openedMs, model: heard(this.#choose(name, loaded)) }
    this.#opened.set(key, opened)
    try {
      return await untilAborted(opened.model, signal)
    } catch (error) {
      if (this.#opened.get(key) === opened) this.#opened.delete(key)
      throw error
    }
  }

  /** Lists names as `Backend.models` does, at most once every few seconds. */
  list({ signal }: { readonly signal: AbortSignal }): Promise<readonly ServedModelName[]> {
    const now = this.#machine.clock.monotonic()
    if (this.#listed === undefined || now >= this.#listed.until)
      this.#listed = { until: now + listedMs, models: heard(this.#find(this.#closing.signal)) }
    return untilAborted(this.#listed.models, signal)
  }

  /** Lists models as `Backend.offers` does, by the settings of the folder that `machine` is in. */
  async offers(
    machine: Machine,
    { current, signal }: { readonly current?: string | undefined; readonly signal: AbortSignal },
  ): Promise<readonly OfferedModel[]> {
    const quiet = { ...machine, warn: () => undefined }
    const loaded = await openSettings(quiet, this.#usual)
    const { settings } = loaded
    const either = AbortSignal.any([this.#closing.signal, signal])
    const search = { settings, machine: quiet, transport: this.#open(loaded), signal: either }
    const { models, silent } = await findModels(search, current)
    const reasonFor = ({ name, missing }: ListedModel) => {
      const [provider = ''] = name.split('/')
      const needsKey = missing !== undefined && keyHolder(provider, settings).apiKeyEnv !== undefined
      return needsKey ? `no key: run pipe auth set ${provider} where the server runs` : missing
    }
    return [...models, ...silent].map((model) => ({
      name: model.name,
      facts: model.facts,
      ...omitUndefined({ missing: reasonFor(model) }),
    }))
  }

  close(): void {
    this.#closing.abort()
    this.#transport?.close()
  }

  async #choose(name: string | undefined, loaded: LayeredSettings): Promise<ServedModel> {
    const { settings, layers } = loaded
    const model = name ?? this.#usual.model
    const sources = {
      settings,
      session: undefined,
      machine: this.#machine,
      signal: this.#closing.signal,
      choices: { ...this.#usual, interactive: false, model },
      transport: this.#open(loaded),
      catalog: lazyCatalog(settings),
    }
    const chosen = await chooseModel(sources).catch(
      name === undefined ? nameModelSource(layers, undefined) : unknownName,
    )
    const routing = await openRouting(chosen, sources)
    return { choice: chosen.strong ?? chosen.choice, fallback: routing?.fallback ?? [] }
  }

  async #find(signal: AbortSignal): Promise<readonly ServedModelName[]> {
    const machine = this.#machine
    const loaded = await openSettings(machine, this.#usual)
    const { settings } = loaded
    const [{ models }, { agents }] = await Promise.all([
      findModels({ settings, machine, transport: this.#open(loaded), signal }),
      readAgents(machine, loaded, signal),
    ])
    return [
      ...[...agents.keys()].map((name) => ({ id: `${agentPrefix}${name}`, owner: usualName })),
      ...models
        .filter(({ missing }) => missing === undefined)
        .map(({ name }) => ({ id: name, owner: name.slice(0, name.indexOf('/')) })),
    ]
  }

  #open({ settings }: LayeredSettings): Transport {
    this.#transport ??= openTransport(this.#machine, settings)
    return this.#transport
  }
}

/** Returns a promise whose failure nobody need wait for: all who asked may have gone. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** Says of a client's own name that it stands for no model. */
function unknownName(error: unknown): never {
  if (!isPipeError(error) || (error.code !== 'usage' && error.code !== 'config')) throw error
  throw new PipeError('not_found', error.message, { cause: error, details: { field: 'model' } })
}
