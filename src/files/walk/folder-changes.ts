import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import { throwIfBug } from '../system-error.ts'

/** Milliseconds between looks at a folder that the system cannot watch. */
const lookMs = 2_000

/** Tells that something changed in a folder. Does nothing in between, and does not keep the process alive. */
export class FolderChanges {
  readonly #clock: Clock
  #watcher: FSWatcher | undefined
  #stopLooking: (() => void) | undefined
  #isChanged = false
  #wake: () => void = () => undefined

  /** `path` is absolute; the folder exists. */
  constructor(path: string, clock: Clock) {
    this.#clock = clock
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.#change())
      this.#watcher.on('error', () => this.#look())
    } catch (error) {
      throwIfBug(error)
      this.#look()
    }
  }

  /** Resolves once something has changed since the last call resolved. Throws `aborted`. */
  async next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(new PipeError('aborted', 'interrupted'))
      this.#wake = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      if (signal.aborted) onAbort()
      else if (this.#isChanged) this.#wake()
      else signal.addEventListener('abort', onAbort, { once: true })
    })
    this.#isChanged = false
  }

  close(): void {
    this.#watcher?.close()
    this.#stopLooking?.()
  }

  #change(): void {
    this.#isChanged = true
    this.#wake()
  }

  /** Takes every look for a change: the reader finds out. */
  #look(): void {
    this.#watcher?.close()
    this.#stopLooking ??= this.#clock.every(lookMs, () => this.#change())
  }
}
