import type { Engine, Turn } from '../../engine.ts'
import type { UserMessage } from '../../message.ts'
import { withdraw } from '../withdraw.ts'

/** Passes the results of elves in the background on to their parent's model: into the running turn, or to begin one. */
export class ElfReports {
  readonly #engine: Engine
  #isTurn = false
  /** Sent into the running turn. */
  #sent: readonly UserMessage[] = []
  /** For the next turn. */
  #kept: readonly UserMessage[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  deliver(report: UserMessage): void {
    if (!this.#isTurn) {
      this.#kept = [...this.#kept, report]
      return
    }
    this.#engine.send({ type: 'steer', message: report })
    this.#sent = [...this.#sent, report]
  }

  /** Runs a turn, and keeps the reports that came too late for it. */
  async during(act: () => Promise<Turn>): Promise<Turn> {
    this.#isTurn = true
    let turn: Turn | undefined
    try {
      turn = await act()
      return turn
    } finally {
      this.#isTurn = false
      const begins = turn?.late?.id
      const late = this.#sent.filter(({ id }) => id !== begins && withdraw(this.#engine, id))
      this.#sent = []
      this.#kept = [...late, ...this.#kept]
    }
  }

  get isFilled(): boolean {
    return this.#kept.length > 0
  }

  /** Takes the reports as one message, which begins a turn. */
  take(): UserMessage | undefined {
    const [first, ...others] = this.#kept
    this.#kept = []
    return first && { ...first, content: [...first.content, ...others.flatMap(({ content }) => content)] }
  }
}
