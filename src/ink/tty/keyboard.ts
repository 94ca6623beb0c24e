import type { Clock } from '../../clock.ts'
import type { Key } from './key.ts'
import type { OwnKeys } from './key-sequence.ts'
import {
  decodeKeys,
  flushKeys,
  isClipboard,
  isEscapes,
  isPaste,
  isRestOfClipboard,
  isWayOut,
  withoutClipboard,
} from './keys.ts'
import { burstMs, PastedLines } from './pasted-lines.ts'

export interface KeyboardOptions {
  readonly clock: Clock
  /** The keys that only this terminal has. Default: none. */
  readonly ownKeys?: OwnKeys | undefined
  readonly onKey: (key: Key) => void
  /** Called with an answer of the terminal, or with news of its focus, as it was sent. */
  readonly onReply: (reply: string) => void
  /** Whether an answer of the terminal is due. */
  readonly isAnswerDue: () => boolean
}

/** Time after which an escape character with nothing behind it counts as the Esc key. */
const escapeWaitMs = 30
/** The same while an answer or the end of a paste is due, whose parts may arrive far apart. */
export const replyPartMs = 200
/** Time after which another sequence that does not go on is given up, so that it swallows no later key. */
const sequenceWaitMs = 500
/** Time without input after which a paste counts as whole: its end mark may be lost. */
const pasteWaitMs = 1_000

/** Reads keys and replies from what the terminal sends, in whatever pieces. */
export class Keyboard {
  readonly #options: KeyboardOptions
  #pending = ''
  /** Whether a clipboard stopped arriving before its end. */
  #isStalled = false
  #stopWaiting: () => void = () => undefined
  readonly #lines = new PastedLines()
  #stopLines: () => void = () => undefined

  constructor(options: KeyboardOptions) {
    this.#options = options
  }

  /** Takes the next piece of input. */
  readonly hear = (chunk: string): void => {
    this.#stopWaiting()
    // A paste or a reply without an end must not swallow the keys that stop a turn.
    if (this.#pending.length > 1 && isWayOut(chunk)) this.#give()
    if (this.#isStalled && !isRestOfClipboard(chunk)) this.#give()
    this.#isStalled = false
    const { keys, replies, pending } = decodeKeys(this.#pending, chunk, this.#options.ownKeys)
    this.#pending = pending
    const { onReply, clock } = this.#options
    for (const { text } of replies) onReply(text)
    this.#press(keys)
    if (pending !== '') this.#stopWaiting = clock.after(this.#waitMs(chunk), this.#flush)
  }

  close(): void {
    this.#stopWaiting()
    this.#stopLines()
  }

  #waitMs(chunk: string): number {
    if (isPaste(this.#pending)) return isEscapes(chunk) ? replyPartMs : pasteWaitMs
    if (!isEscapes(this.#pending)) return sequenceWaitMs
    return this.#options.isAnswerDue() ? replyPartMs : escapeWaitMs
  }

  readonly #flush = (): void => {
    // The rest of a clipboard must not become text.
    if (isClipboard(this.#pending)) {
      this.#pending = withoutClipboard(this.#pending)
      this.#isStalled = true
    } else this.#give()
  }

  #give(): void {
    const keys = flushKeys(this.#pending)
    this.#pending = ''
    this.#press(keys)
  }

  #press(keys: readonly Key[]): void {
    if (keys.length === 0) return
    const { clock } = this.#options
    this.#stopLines()
    this.#tell(this.#lines.take(keys, clock.monotonic()))
    if (this.#lines.isHolding) this.#stopLines = clock.after(burstMs, () => this.#tell(this.#lines.flush()))
  }

  #tell(keys: readonly Key[]): void {
    for (const key of keys) this.#options.onKey(key)
  }
}
