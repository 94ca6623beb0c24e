import type { AgentEvent } from '../../event.ts'

/** Events that may wait for their reader before the turn does. */
const most = 256

/** Hands the events of a turn to one reader. A turn that is ahead of its reader waits, so that nothing piles up and nothing is lost. */
export class TurnEventReader {
  #waiting: AgentEvent[] = []
  #isOver = false
  #wakeReader = () => {}
  #wakeTurn = () => {}

  /** Takes an event over. The turn waits for the promise, if there is one. */
  add(event: AgentEvent): Promise<void> | undefined {
    if (this.#isOver) return undefined
    this.#waiting.push(event)
    this.#wakeReader()
    if (this.#waiting.length < most) return undefined
    return new Promise((resolve) => {
      this.#wakeTurn = resolve
    })
  }

  /** Returns the events since the last call, once there are some. None: the turn is over. One reader at a time. */
  async take(): Promise<readonly AgentEvent[]> {
    if (this.#waiting.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve
      })
    const events = this.#waiting
    this.#waiting = []
    this.#wakeTurn()
    return events
  }

  /** Says that no event follows, or that nobody reads any. */
  end(): void {
    this.#isOver = true
    this.#wakeReader()
    this.#wakeTurn()
  }
}
