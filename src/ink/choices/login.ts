import { isPipeError } from '../../error.ts'
import type { KeyStore } from '../../frontend/key-store.ts'
import { printable } from '../../terminal/printable.ts'
import type { Picking } from '../picker/picking.ts'
import type { Store } from '../store.ts'
import type { SecretAction, SecretEntry } from './secret-entry.ts'

export interface LoginOptions {
  readonly store: Store
  readonly picking: Picking
  readonly keys: () => Promise<KeyStore>
  /** Ends what is asked of a provider. */
  readonly signal: AbortSignal
}

/** A stored key. */
export interface StoredKey {
  readonly provider: string
  /** Says where it is stored. */
  readonly note: string
}

export interface AskedKey {
  /** Its typed part. */
  readonly text?: string
  /** The model that the user chose, which needs the key. */
  readonly neededBy?: string
}

/** Asks for the key of a provider, without showing it, and stores it once the provider takes it. */
export class Login {
  readonly #options: LoginOptions
  #entry:
    | { readonly provider: string | undefined; readonly done: (key: StoredKey | undefined) => void }
    | undefined
  #checking = new AbortController()

  constructor(options: LoginOptions) {
    this.#options = options
  }

  /** Throws `config` for a provider that does not exist. */
  async check(provider: string): Promise<void> {
    const keys = await this.#options.keys()
    keys.check(provider)
  }

  /** Asks for a key. Without a provider, the beginning of the key tells, else the user. Resolves with `undefined` if the user leaves. */
  ask(provider: string | undefined, { text = '', neededBy }: AskedKey = {}): Promise<StoredKey | undefined> {
    this.cancel()
    this.#show({ ...entryFor(provider, neededBy), text })
    return new Promise((done) => {
      this.#entry = { provider, done }
    })
  }

  act(action: SecretAction): void | Promise<void> {
    switch (action.type) {
      case 'change_secret':
        return this.#show(action.secret)
      case 'enter_secret':
        return this.#enter(action.text)
      case 'cancel_secret':
        return this.cancel()
      case 'nothing':
        return
    }
  }

  /** Stops asking. */
  cancel(): void {
    this.#checking.abort()
    this.#end(undefined)
  }

  async #enter(key: string): Promise<void> {
    const entry = this.#entry
    const keys = await this.#options.keys()
    if (entry === undefined || this.#entry !== entry) return
    const { provider = keys.providerOf(key) } = entry
    if (provider === undefined) await this.#chooseProvider(key, keys)
    else await this.#store(provider, key, keys)
  }

  #chooseProvider(key: string, keys: KeyStore): Promise<void> {
    const { picking } = this.#options
    const entry = this.#entry
    this.#hide()
    return picking.open({
      title: 'Whose key is it?',
      items: keys.providers().map(({ name, source }) => ({
        id: name,
        label: name,
        facts: [source === undefined ? '' : `has one: ${source}`],
      })),
      none: 'no provider takes a key',
      onChosen: (provider) => this.#store(provider, key, keys),
      onLeft: () => {
        if (this.#entry === entry) this.cancel()
      },
    })
  }

  async #store(provider: string, key: string, keys: KeyStore): Promise<void> {
    const entry = this.#entry
    const checking = new AbortController()
    this.#checking = checking
    const asked = entryFor(provider)
    this.#show({ ...asked, text: key, doing: `checking the key with ${printable(provider)}` })
    const signal = AbortSignal.any([this.#options.signal, checking.signal])
    try {
      const note = await keys.store(provider, key, signal)
      if (this.#entry === entry) this.#end({ provider, note })
    } catch (error) {
      if (this.#entry !== entry || checking.signal.aborted) return
      if (!isPipeError(error)) throw error
      // The text is wrong or refused: it is typed anew.
      this.#show({ ...asked, fault: printable(error.message) })
    }
  }

  #end(key: StoredKey | undefined): void {
    const entry = this.#entry
    if (entry === undefined) return
    this.#entry = undefined
    this.#hide()
    entry.done(key)
  }

  #show(secret: SecretEntry): void {
    this.#options.store.dispatch({ type: 'secret', secret })
  }

  #hide(): void {
    this.#options.store.dispatch({ type: 'secret', secret: undefined })
  }
}

function entryFor(provider: string | undefined, neededBy?: string): SecretEntry {
  const whose = provider === undefined ? 'Your key' : `Your key for ${printable(provider)}`
  const why = neededBy === undefined ? '' : `${printable(neededBy)} needs it. `
  return {
    title: whose,
    about: `${why}It is not shown. Only you can read the file where it is stored.`,
    text: '',
  }
}
