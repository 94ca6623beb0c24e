/** The key under which the browser keeps the wish for notifications. */
const key = 'pipe.notices'

/** A question to notify the user of. */
interface Notice {
  readonly title: string
  readonly body: string
  /** The notices of one place replace each other. */
  readonly place: string
  /** The user chose it. */
  onOpen(): void
}

/** Notifications of the browser, while the page is open and nobody looks at it. */
export class QuestionNotices {
  readonly #window: Window & typeof globalThis

  constructor(window: Window & typeof globalThis) {
    this.#window = window
  }

  /** Whether the browser has notifications at all. */
  get isOffered(): boolean {
    return 'Notification' in this.#window
  }

  get isOn(): boolean {
    return this.isOffered && this.#window.Notification.permission === 'granted' && this.#read() === 'on'
  }

  /** Asks the user for the permission. Returns why there are none; empty if there are. */
  async turnOn(): Promise<string> {
    const { Notification, isSecureContext } = this.#window
    if (!isSecureContext) return 'Notifications work only over HTTPS or on localhost.'
    if ((await Notification.requestPermission()) !== 'granted')
      return 'The browser blocks notifications here. Allow them for this page in its settings.'
    this.#keep('on')
    return ''
  }

  turnOff(): string {
    this.#keep('off')
    return ''
  }

  /** Notifies the user, unless they look at the page. */
  tell({ title, body, place, onOpen }: Notice): void {
    const { document, Notification } = this.#window
    if (!this.isOn || (document.visibilityState === 'visible' && document.hasFocus())) return
    try {
      const notice = new Notification(title, { body, tag: place })
      notice.addEventListener('click', () => {
        this.#window.focus()
        notice.close()
        onOpen()
      })
    } catch (error) {
      // Chrome on Android shows none without a worker, which the page does not have.
      if (!(error instanceof TypeError)) throw error
      this.#keep('off')
    }
  }

  #read(): string | null {
    try {
      return this.#window.localStorage.getItem(key)
    } catch {
      // The browser forbids it.
      return null
    }
  }

  #keep(wish: 'on' | 'off'): void {
    try {
      this.#window.localStorage.setItem(key, wish)
    } catch {
      // The browser forbids it: there are no notifications then.
      return
    }
  }
}
