/** Keeps unsent text over a reload, by the place where it is written. */
export class Drafts {
  readonly #storage: Storage | undefined
  readonly #texts = new Map<string, string>()

  constructor(window: Window) {
    this.#storage = storageOf(window)
  }

  read(place: string): string {
    return this.#texts.get(place) ?? this.#storage?.getItem(keyOf(place)) ?? ''
  }

  write(place: string, text: string): void {
    this.#texts.set(place, text)
    try {
      if (text === '') this.#storage?.removeItem(keyOf(place))
      else this.#storage?.setItem(keyOf(place), text)
    } catch {
      // The storage is full: memory has the text until the page is closed.
      return
    }
  }
}

function keyOf(place: string): string {
  return `pipe.draft.${place}`
}

function storageOf(window: Window): Storage | undefined {
  try {
    return window.sessionStorage
  } catch {
    // The browser forbids it.
    return undefined
  }
}
