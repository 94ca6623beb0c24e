/** Tells when the browser may reach the server again, and whether anybody looks at the page. */
export class Wakes {
  readonly #window: Window

  constructor(window: Window) {
    this.#window = window
  }

  /** Resolves once there is reason to hope for the network, or the signal fires. */
  readonly hope = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const options = { once: true, signal } as const
      this.#window.addEventListener('online', () => resolve(), options)
      this.#window.document.addEventListener('visibilitychange', () => resolve(), options)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })

  /**
   * Runs an action while the page is visible: its signal fires when the page is hidden, and it runs again when it is back. A phone
   * keeps no connection for a page in its pocket, and a browser allows few to one server.
   */
  async whileVisible(signal: AbortSignal, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { document } = this.#window
    while (!signal.aborted) {
      if (document.visibilityState === 'hidden') {
        await this.#changed(signal)
        continue
      }
      const hidden = new AbortController()
      const hide = () => {
        if (document.visibilityState === 'hidden') hidden.abort()
      }
      document.addEventListener('visibilitychange', hide)
      try {
        await act(AbortSignal.any([signal, hidden.signal]))
        if (!hidden.signal.aborted) return
      } finally {
        document.removeEventListener('visibilitychange', hide)
      }
    }
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#window.document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}
