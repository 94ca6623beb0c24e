import type { Clock } from '../clock.ts'
import { isPipeError } from '../error.ts'
import type { FrontendApi } from '../frontend/conversation-view.ts'
import { colouredLine } from './rows/coloured-text.ts'
import { type Line, lineText } from './rows/line.ts'
import type { Screen } from './state.ts'
import type { Store } from './store.ts'

export interface OwnStatusOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  readonly api: Pick<FrontendApi, 'statusLine'>
  readonly note: (text: string) => void
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
}

/** Time in ms between two starts of the command. */
const restMs = 300
/** Rows that are shown. */
const mostRows = 3

/** Shows what the user's own command says of the conversation, and asks it again after changes. No frame waits for it. */
export class OwnStatus {
  readonly #options: OwnStatusOptions
  readonly #closing = new AbortController()
  #unsubscribe: () => void = () => undefined
  #forget: () => void = () => undefined
  #seen: string | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #isWaiting = false
  #isDue = false
  #hasTold = false

  constructor(options: OwnStatusOptions) {
    this.#options = options
  }

  open(): void {
    const { store } = this.#options
    this.#unsubscribe = store.subscribe(({ screen }) => this.#look(screen))
    this.#look(store.screen)
  }

  /** Ends the command. */
  async close(): Promise<void> {
    this.#unsubscribe()
    this.#forget()
    this.#closing.abort()
    await this.#running
  }

  #look(screen: Screen): void {
    const facts = factsOf(screen)
    if (facts === this.#seen) return
    this.#seen = facts
    this.#plan()
  }

  /** Starts the command as soon as it may run. */
  #plan(): void {
    if (this.#running !== undefined) this.#isDue = true
    if (this.#running !== undefined || this.#isWaiting || this.#closing.signal.aborted) return
    const { clock } = this.#options
    const wait = Math.max(0, this.#startedAt + restMs - clock.monotonic())
    this.#isWaiting = true
    this.#forget = clock.after(wait, () => {
      this.#isWaiting = false
      this.#running = this.#run()
    })
  }

  async #run(): Promise<void> {
    const { store, clock, api, fail } = this.#options
    this.#startedAt = clock.monotonic()
    try {
      const { columns } = store.screen.size
      const text = await api.statusLine?.({ columns, signal: this.#closing.signal })
      this.#show(text === undefined ? [] : rowsOf(text))
    } catch (error) {
      if (!isPipeError(error)) fail(error)
      else if (!this.#closing.signal.aborted) this.#tell(error.message)
    }
    this.#running = undefined
    const isDue = this.#isDue
    this.#isDue = false
    if (isDue) this.#plan()
  }

  /** Falls back to the usual status, and says why once. */
  #tell(reason: string): void {
    this.#show([])
    if (!this.#hasTold) this.#options.note(`tui.status_line: ${reason}`)
    this.#hasTold = true
  }

  #show(rows: readonly Line[]): void {
    const { store } = this.#options
    const { own = [] } = store.screen.status
    if (this.#closing.signal.aborted || JSON.stringify(own) === JSON.stringify(rows)) return
    store.dispatch({ type: 'status', status: { own: rows } })
  }
}

/** Returns what the command is told about, as one text. */
function factsOf({ status, size, busySince, hasBegun }: Screen): string {
  const { model, thinking, mode, agent, branch, usage, costUsd, contextTokens } = status
  const { inputTokens, outputTokens } = usage
  const facts = [model, thinking, mode, agent, branch, inputTokens, outputTokens, costUsd, contextTokens]
  return JSON.stringify([...facts, size.columns, busySince !== undefined, hasBegun])
}

function rowsOf(text: string): readonly Line[] {
  const rows = text.split('\n', mostRows).map((row) => colouredLine(row.trimEnd()))
  return rows.slice(0, rows.findLastIndex((row) => lineText(row).trim() !== '') + 1)
}
