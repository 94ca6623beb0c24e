/**
 * Keeps the token of the server. `localStorage`, because a bookmark on a phone's home screen opens a new tab, which shares no
 * `sessionStorage`. Where a browser forbids storage the token lasts until the page is closed.
 */
export class TokenStore {
  readonly #key: string
  #storage: Storage | undefined
  #token: string

  /** `home`: the path of the page. Pages of one origin below different paths keep their tokens apart. */
  constructor(window: Window, home: string) {
    this.#key = home === '/' ? 'pipe.token' : `pipe.token ${home}`
    this.#storage = storageOf(window)
    this.#token = this.#storage?.getItem(this.#key) ?? ''
    this.take(window)
  }

  /** Empty if there is none. */
  get token(): string {
    return this.#token
  }

  /** Takes the token from `#token=…`, and removes it from the address and its history. Returns whether there was one. */
  take(window: Window): boolean {
    const given = /^#token=([\w-]+)/.exec(window.location.hash)?.[1]
    if (given === undefined) return false
    this.keep(given)
    window.history.replaceState(null, '', window.location.pathname)
    return true
  }

  keep(token: string): void {
    this.#token = token
    try {
      this.#storage?.setItem(this.#key, token)
    } catch {
      // The storage is full or forbidden: from now on only memory keeps it.
      this.#storage = undefined
    }
  }
}

/** Reads the token from what a person pastes: the printed address, or the token alone. */
export function readPasted(pasted: string): string {
  return /#token=([\w-]+)/.exec(pasted)?.[1] ?? pasted.trim()
}

function storageOf(window: Window): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    // The browser forbids it.
    return undefined
  }
}
