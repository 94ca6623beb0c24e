import type { AgentEvent } from '../../event.ts'
import type { Output } from '../../terminal/output.ts'

/** Draws a streamed text as rows of a terminal. */
export interface DrawnText {
  /** Adds a piece of the text. Returns the rows that are whole now, each with its line end. */
  add(delta: string): string | Promise<string>
  /** Ends the text and returns its last rows. Another text may follow. */
  end(): string
}

/** Loads what draws texts, when the first one comes; `undefined` if they are to be shown as they are. */
export type OpenDrawing = () => Promise<DrawnText | undefined>

/** Writes the texts of a model on a terminal, block by block, so that notes stand between whole rows. */
export class TextDrawing {
  readonly #stdout: Output
  readonly #open: OpenDrawing
  readonly #showPlain: (event: AgentEvent) => void
  #text: DrawnText | undefined
  #isOpen = false
  #block = ''

  constructor(stdout: Output, open: OpenDrawing, showPlain: (event: AgentEvent) => void) {
    this.#stdout = stdout
    this.#open = open
    this.#showPlain = showPlain
  }

  /** Shows what an event adds. The next event waits for the promise. */
  async show(event: AgentEvent): Promise<void> {
    if (event.type === 'text_delta' && !this.#isOpen) {
      this.#isOpen = true
      this.#text = await this.#open()
    }
    const text = this.#text
    if (text === undefined) this.#showPlain(event)
    else if (event.type === 'text_delta') {
      if (event.id !== this.#block) this.end()
      this.#block = event.id
      this.#write(await text.add(event.delta))
    } else if (ends.has(event.type)) this.end()
  }

  /** Writes what is still open. */
  end(): void {
    this.#write(this.#text?.end() ?? '')
  }

  #write(rows: string): void {
    if (rows !== '') this.#stdout.write(rows)
  }
}

/** Events after which a text does not go on. */
const ends: ReadonlySet<AgentEvent['type']> = new Set(['message', 'retry', 'fallback', 'round_end'])
