/** The keys of providers that the user stores. */
export interface KeyStore {
  /** Lists the providers that take a key. */
  providers(): readonly KeyedProvider[]
  /** Throws `config` for a provider that does not exist. */
  check(provider: string): void
  /** Returns the provider whose keys begin like this one; `undefined` if that does not tell. */
  providerOf(key: string): string | undefined
  /**
   * Asks the provider whether it takes a key, and stores it unless it refuses. Returns a note for the user. Throws `auth` for a refused key,
   * `input` for a text that cannot be one, and as `changeKeys`.
   */
  store(provider: string, key: string, signal: AbortSignal): Promise<string>
}

export interface KeyedProvider {
  readonly name: string
  /** The source of its key now: the name of a variable, or of the file. Absent: there is none. */
  readonly source?: string | undefined
}
