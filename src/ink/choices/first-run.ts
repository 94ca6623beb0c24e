import type { KeyStore } from '../../frontend/key-store.ts'
import type { LocalModel, Start } from '../../frontend/start.ts'
import type { Action } from '../keys/action.ts'
import { readKey } from '../keys/keymap.ts'
import type { PickerItem } from '../picker/picker-item.ts'
import { Picking } from '../picker/picking.ts'
import { Stage, type StageOptions } from '../stage.ts'
import type { Key } from '../tty/key.ts'
import { Login } from './login.ts'

export interface FirstRunOptions extends StageOptions {
  /** Says what is missing. */
  readonly title: string
  readonly keyStore: () => Promise<KeyStore>
  /** Finds models on this machine, the best one first. Takes a second. */
  readonly localModels: (signal: AbortSignal) => Promise<readonly LocalModel[]>
  /** Names the servers that it asks. */
  readonly localServers: readonly string[]
  /** Lists the models of a provider for which none is the default. */
  readonly modelsOf: (provider: string) => Promise<readonly string[]>
  /** Receives notes about what was stored. */
  readonly note: (text: string) => void
}

/** Shortest text that may be a key. */
const shortestKey = 16
const keyId = 'key'
const demoId = 'demo'
const quitId = 'quit'
const searchId = 'search'

/** Asks on a screen of its own how to begin without a usable model. Resolves with `quit` if the user leaves or the signal fires. */
export async function chooseStart(options: FirstRunOptions): Promise<Start> {
  const { clock, signal } = options
  const stage = new Stage(options, '')
  const leaving = new AbortController()
  const chosen = new Promise<Start>((resolve, reject) => {
    const first = new FirstRun(options, { stage, resolve, signal: leaving.signal })
    const attempt = (act: () => void | Promise<void>) => void (async () => act())().catch(reject)
    const key = (pressed: Key) =>
      attempt(() => first.act(pressed, readKey(stage.store.screen, pressed, clock.monotonic())))
    const leave = () => resolve({ type: 'quit' })
    signal.addEventListener('abort', leave, { once: true, signal: leaving.signal })
    stage.open({ key, attempt })
    // No event tells of a signal that has fired before.
    if (signal.aborted) leave()
    else attempt(() => first.open())
  })
  try {
    return await chosen
  } finally {
    leaving.abort()
    await stage.close()
  }
}

interface FirstRunParts {
  readonly stage: Stage
  readonly resolve: (start: Start) => void
  /** Ends with the screen. */
  readonly signal: AbortSignal
}

class FirstRun {
  readonly #options: FirstRunOptions
  readonly #parts: FirstRunParts
  readonly #picking: Picking
  readonly #login: Login

  constructor(options: FirstRunOptions, parts: FirstRunParts) {
    this.#options = options
    this.#parts = parts
    const { store } = parts.stage
    this.#picking = new Picking(store)
    this.#login = new Login({ store, picking: this.#picking, keys: options.keyStore, signal: parts.signal })
  }

  /** Lists the ways to begin. `isAgain`: the user had it look again for models on this machine. */
  async open(isAgain = false): Promise<void> {
    const { title, localModels, localServers } = this.#options
    const { signal, resolve } = this.#parts
    const items = async function* (): AsyncGenerator<readonly PickerItem[], undefined, undefined> {
      yield [keyItem]
      const found = await localModels(signal)
      yield [
        ...(found.length === 0 ? [searchItem(localServers, isAgain)] : found.map(localItem)),
        demoItem,
        quitItem,
      ]
    }
    await this.#picking.open({
      title,
      items: items(),
      none: '',
      verbs: {},
      onChosen: (id) => this.#choose(id),
      onLeft: () => resolve({ type: 'quit' }),
    })
  }

  act(key: Key, action: Action): void | Promise<void> {
    const { stage } = this.#parts
    if (isKey(key) && stage.store.screen.secret === undefined) return this.#askForKey(key.text)
    switch (action.type) {
      case 'change_picker':
      case 'pick':
      case 'cancel_pick':
        return this.#picking.act(action)
      case 'change_secret':
      case 'enter_secret':
      case 'cancel_secret':
        return this.#login.act(action)
      case 'suspend':
        return stage.suspend()
    }
  }

  #choose(id: string): void | Promise<void> {
    const { resolve } = this.#parts
    switch (id) {
      case keyId:
        return this.#askForKey('')
      case searchId:
        return this.open(true)
      case demoId:
        return resolve({ type: 'demo' })
      case quitId:
        return resolve({ type: 'quit' })
      default:
        return resolve({ type: 'model', name: id })
    }
  }

  /** Asks for a key, and for a model if the provider has no default. Lists the ways again if the user leaves. */
  async #askForKey(text: string): Promise<void> {
    const { modelsOf, note } = this.#options
    const { resolve } = this.#parts
    this.#picking.dismiss()
    const stored = await this.#login.ask(undefined, { text: text.replace(/\s+/g, '') })
    if (stored === undefined) return this.open()
    note(stored.note)
    const { provider } = stored
    const models = await modelsOf(provider)
    if (models.length === 0) return resolve({ type: 'key', provider })
    await this.#picking.open({
      title: `Which model of ${provider}?`,
      items: models.map((name) => ({ id: name, label: name.slice(provider.length + 1) })),
      none: '',
      onChosen: (name) => resolve({ type: 'model', name }),
      onLeft: () => resolve({ type: 'key', provider }),
    })
  }
}

/** Whether the user pasted what may be a key, which must not be shown. */
function isKey(key: Key): key is Extract<Key, { readonly text: string }> {
  return (key.type === 'text' || key.type === 'paste') && key.text.trim().length >= shortestKey
}

const keyItem: PickerItem = {
  id: keyId,
  label: 'Paste a key',
  facts: ['of any provider'],
  preview:
    'pipe recognises the provider by the key, checks the key there, and stores it in a file that only you can read.',
}

function searchItem(servers: readonly string[], isAgain: boolean): PickerItem {
  const found = isAgain ? 'Still no' : 'No'
  return {
    id: searchId,
    label: 'Use a model on this machine',
    facts: ['none found yet'],
    preview: `${found} local server with a model answers. Start one of ${servers.join(', ')}, then press Enter to look again.`,
    isOff: true,
    isFocused: isAgain,
  }
}

const demoItem: PickerItem = {
  id: demoId,
  label: 'Watch the demo',
  facts: ['needs nothing'],
  preview:
    'A recorded model fixes a bug: the tools, the edit and the tests are real, in a folder that is removed.',
}

const quitItem: PickerItem = {
  id: quitId,
  label: 'Quit',
  facts: ['and see the commands'],
  preview: 'pipe lists the commands and variables that set up a model from the shell.',
}

function localItem({ name, why, isDoubtful = false }: LocalModel, i: number): PickerItem {
  const [server = ''] = name.split('/')
  return {
    id: name,
    label: `Use ${name.slice(server.length + 1)} on this machine`,
    facts: [i === 0 ? 'found here' : ''],
    preview: `${name}: ${why}. pipe saves it as your model; /model changes it.`,
    isFocused: i === 0 && !isDoubtful,
  }
}
