import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { OfferedModel } from '../../frontend/offered-model.ts'
import { thinkingLevels } from '../../model.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { Picking } from '../picker/picking.ts'
import { modelStatus } from '../status.ts'
import type { Store } from '../store.ts'
import type { StoredKey } from './login.ts'
import { foldedModels, modelItem } from './model-item.ts'

export interface ModelChoiceOptions {
  readonly store: Store
  readonly api: FrontendApi
  readonly picking: Picking
  readonly note: (text: string) => void
  /** Asks for the key of a provider that a model needs. Default: keys are kept elsewhere. */
  readonly login?: ((provider: string, neededBy: string) => Promise<StoredKey | undefined>) | undefined
  /** Ends with the screen. */
  readonly signal: AbortSignal
}

/** Lets the user choose the model and how much it thinks. */
export class ModelPicker {
  readonly #options: ModelChoiceOptions

  constructor(options: ModelChoiceOptions) {
    this.#options = options
  }

  /** Switches to a model by its name, or lists all models. */
  async choose(name: string | undefined): Promise<void> {
    if (name === undefined) return this.#list()
    const model = await this.#use(name)
    if (model !== undefined) this.#options.note(`model: ${this.#named(model)}`)
  }

  /** Opens the model in use again if it is of this provider, whose key has changed. */
  async reopen(provider: string): Promise<void> {
    const { store, api } = this.#options
    const { model } = store.screen.status
    const level = api.thinking?.level()
    if (model.startsWith(`${provider}/`)) await this.#use(level === undefined ? model : `${model}:${level}`)
  }

  /** Switches to the next of the models that the user works with. Only the status line tells. */
  async next(): Promise<void> {
    const { store, api, note } = this.#options
    const usual = (await api.usualModels?.()) ?? []
    const { model } = store.screen.status
    const at = usual.findIndex((name) => name === model || name.startsWith(`${model}:`))
    const next = usual[(at + 1) % usual.length]
    if (next === undefined || next === model)
      return note('there is no other model to switch to: /model lists them all')
    await this.#use(next)
  }

  /** Sets how much the model thinks, or lists the levels. */
  async think(level: ThinkingLevel | undefined): Promise<void> {
    const { api, picking, note } = this.#options
    const { thinking } = api
    if (thinking === undefined) return
    if (level !== undefined) return this.#setLevel(level)
    const levels = thinking.levels() ?? thinkingLevels
    if (levels.length === 0) return note('this model does not let you choose how much it thinks')
    const current = thinking.level()
    await picking.open({
      title: 'How much should the model think?',
      items: levels.map((one) => ({
        id: one,
        label: one,
        isCurrent: one === current,
        isFocused: one === current,
      })),
      none: '',
      onChosen: (id) => {
        const chosen = levels.find((one) => one === id)
        return chosen === undefined ? undefined : this.#setLevel(chosen)
      },
    })
  }

  async #setLevel(level: ThinkingLevel): Promise<void> {
    const { store, api, note } = this.#options
    await api.thinking?.set(level)
    store.dispatch({ type: 'status', status: { thinking: level } })
    note(`thinking: ${level}, from the next request on`)
  }

  async #list(): Promise<void> {
    const { store, api, picking, note, signal } = this.#options
    const { model } = store.screen.status
    const level = api.thinking?.level()
    const models = api.models?.(signal, model)
    if (models === undefined) return note(`model: ${this.#named(model)}`)
    const listed = new Map<string, OfferedModel>()
    const items = async function* () {
      for await (const part of models) {
        for (const one of part) listed.set(one.name, one)
        yield usableFirst(part).map((one) => modelItem(one, { model, level }))
      }
    }
    await picking.open({
      title: 'Which model?',
      noun: 'model',
      keepsOrder: true,
      keepsLabels: true,
      fold: (folded) => foldedModels(folded.map(({ id }) => listed.get(id) ?? {})),
      items: items(),
      none: 'no model is known',
      onChosen: (id) => this.#choose(id, listed.get(id) ?? listed.get(id.slice(0, id.lastIndexOf(':')))),
    })
  }

  /** Uses a model of the list. Asks for a missing key first. */
  async #choose(id: string, offered: OfferedModel | undefined): Promise<void> {
    const { login, note } = this.#options
    if (offered?.missing !== undefined) {
      const { name, needsKey = false, missing } = offered
      const [provider = ''] = name.split('/')
      if (!needsKey || login === undefined) return note(`${provider}: ${missing}`)
      const stored = await login(provider, name)
      if (stored === undefined) return note(`${name} needs a key: /login ${provider} asks for it again`)
      note(stored.note)
    }
    await this.choose(id)
  }

  async #use(name: string): Promise<string | undefined> {
    const { store, api } = this.#options
    const model = await api.chooseModel?.(name)
    if (model !== undefined) store.dispatch({ type: 'status', status: modelStatus(model, api) })
    return model
  }

  #named(model: string): string {
    const level = this.#options.api.thinking?.level()
    return level === undefined ? model : `${model}, thinking ${level}`
  }
}

function usableFirst(models: readonly OfferedModel[]): readonly OfferedModel[] {
  const isUsable = ({ missing }: OfferedModel) => missing === undefined
  return [...models.filter(isUsable), ...models.filter((one) => !isUsable(one))]
}
