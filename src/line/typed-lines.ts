import type { Interface } from 'node:readline/promises'
import type { AskLine } from './line-question.ts'

/** Reads the lines that the user types. Queues unexpected ones. */
export class TypedLines {
  readonly #lines: Interface
  readonly #tell: (text: string) => void
  /** Whether text can be put into the line that the user edits. */
  readonly #isEditor: boolean
  readonly #waiting: string[] = []
  #offered = ''
  #listener: ((line: string) => void) | undefined
  #isClosed = false

  /** `tell` shows a remark to the user. `isEditor`: the interface edits the line, not the terminal. The caller closes the interface. */
  constructor(lines: Interface, tell: (text: string) => void, isEditor = true) {
    this.#lines = lines
    this.#tell = tell
    this.#isEditor = isEditor
    lines.once('close', () => {
      this.#isClosed = true
    })
    // Emitted only while no question is open.
    lines.on('line', (line: string) => {
      if (this.#listener === undefined) this.#waiting.push(line)
      else this.#listener(line)
    })
  }

  /** Returns the next line, queued ones first; `undefined` as for `ask`. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined
    const kept = this.#waiting.shift()
    if (kept !== undefined || this.#isClosed) return kept
    const typing = this.ask('> ', signal)
    this.#lines.write(this.#offered)
    this.#offered = ''
    return typing
  }

  /** Queues a line before all others. */
  putBack(line: string): void {
    this.#waiting.unshift(line)
  }

  /** Puts a text that was not sent into the next line, for the user to edit; shows it if that cannot be done. */
  offer(text: string): void {
    if (this.#isEditor) this.#offered = text
    else this.#tell(`not sent: ${text}`)
  }

  /** Passes lines on while `act` runs, except for answers to questions. Throws what the listener throws once `act` is done. */
  async during<T>(listener: (line: string) => Promise<void>, act: () => Promise<T>): Promise<T> {
    const handled: Promise<void>[] = []
    this.#listener = (line) => handled.push(listener(line))
    try {
      return await act()
    } finally {
      this.#listener = undefined
      await Promise.all(handled)
    }
  }

  /** Runs an action that Ctrl+C and the signal stop. */
  async stoppable<T>(signal: AbortSignal, act: (stop: AbortController) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await this.#interruptible(
        () => stop.abort(),
        () => act(stop),
      )
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Calls back for each Ctrl+C while `act` runs. */
  async #interruptible<T>(onInterrupt: () => void, act: () => Promise<T>): Promise<T> {
    this.#lines.on('SIGINT', onInterrupt)
    try {
      return await act()
    } finally {
      this.#lines.off('SIGINT', onInterrupt)
    }
  }

  /** Reads a line. Returns `undefined` at the end of input, on Ctrl+C with nothing typed, and when the signal fires. */
  readonly ask: AskLine = async (question, signal) => {
    // The input may have ended while nobody asked.
    if (this.#isClosed) return undefined
    const lines = this.#lines
    const leave = new AbortController()
    const onLeave = () => leave.abort()
    const onInterrupt = () => {
      if (lines.line === '') onLeave()
      else lines.write(null, { ctrl: true, name: 'u' })
    }
    lines.once('close', onLeave)
    signal.addEventListener('abort', onLeave, { once: true })
    try {
      return await this.#interruptible(onInterrupt, () => lines.question(question, { signal: leave.signal }))
    } catch (error) {
      if (leave.signal.aborted) return undefined
      throw error
    } finally {
      lines.off('close', onLeave)
      signal.removeEventListener('abort', onLeave)
    }
  }

  /** Reads an answer. Rejects a line that contains text typed before the question appeared. */
  readonly answer: AskLine = async (question, signal) => {
    for (let ask = question; ; ask = '> ') {
      const draft = this.#lines.line.trim()
      const line = await this.ask(ask, signal)
      if (line === undefined || draft === '' || !line.includes(draft)) return line
      this.#tell('you started that line before the question appeared, so it is not an answer (↑ recalls it)')
    }
  }
}
