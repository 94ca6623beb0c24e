import type { Clock } from '../../clock.ts'
import { clipboardQuery } from '../../terminal/clipboard.ts'

interface ClipboardQueryOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly write: (bytes: string) => void
}

/** Time in ms after which an answer no longer counts. Some terminals ask their user first. */
const waitMs = 5_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: replies are control sequences
const reply = /^\u001b\]52;[\w,]*;([A-Za-z\d+/]*)={0,2}(?:\u0007|\u001b\\)$/

/** Asks the terminal for its clipboard (OSC 52), and takes its answer to that question alone. */
export class ClipboardQuery {
  readonly #options: ClipboardQueryOptions
  #asked: Promise<Uint8Array | undefined> | undefined
  #settle: (bytes: Uint8Array | undefined) => void = () => undefined

  constructor(options: ClipboardQueryOptions) {
    this.#options = options
  }

  /** Resolves with what is on the clipboard; `undefined` if the terminal does not tell in time, or nothing that can be read. */
  ask(): Promise<Uint8Array | undefined> {
    this.#asked ??= new Promise((resolve) => {
      const stop = this.#options.clock.after(waitMs, () => this.#settle(undefined))
      this.#settle = (bytes) => {
        stop()
        this.#asked = undefined
        this.#settle = () => undefined
        resolve(bytes)
      }
      this.#options.write(clipboardQuery)
    })
    return this.#asked
  }

  /** Takes an answer of the terminal. One about other things, or that nobody waits for, changes nothing. */
  hear(text: string): void {
    if (text.startsWith('\u001b]52;')) this.#settle(decoded(text))
  }

  close(): void {
    this.#settle(undefined)
  }
}

function decoded(text: string): Uint8Array | undefined {
  const [, base64 = ''] = reply.exec(text) ?? []
  const isWhole = base64 !== '' && base64.length % 4 !== 1
  return isWhole ? Buffer.from(base64, 'base64') : undefined
}
