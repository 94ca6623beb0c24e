import type { ElfFact, ElfNews } from '../elf.ts'
import { untilAborted } from '../error.ts'

/** News on their way to the front end. The result of an elf that has ended stays with it until it is reported. */
type PendingNews =
  | Exclude<ElfNews, { readonly type: 'report' }>
  | ElfFact
  | { readonly type: 'ended'; readonly name: string }

/** Events kept for a front end that does not take them. Older ones are dropped, but no answers, and no others of the news. */
const mostEvents = 10_000

/** Keeps news of elves in the background until a front end takes them, in order. */
export class NewsQueue {
  #waiting: PendingNews[] = []
  #events = 0
  #wake: (() => void) | undefined

  get isFilled(): boolean {
    return this.#waiting.length > 0
  }

  add(news: PendingNews): void {
    this.#waiting.push(news)
    if (news.type === 'event') this.#events++
    // Dropping a half at once keeps the cost of each event constant.
    if (this.#events > mostEvents) this.#dropEvents(mostEvents / 2)
    this.#wake?.()
  }

  /** Waits for news. Throws `aborted`. One caller at a time. */
  async take(signal: AbortSignal): Promise<PendingNews> {
    for (;;) {
      const [next] = this.#waiting.splice(0, 1)
      if (next?.type === 'event') this.#events--
      if (next !== undefined) return next
      await this.#more(signal)
    }
  }

  /** Forgets that an elf has ended. */
  forget(name: string): void {
    this.#waiting = this.#waiting.filter((news) => news.type !== 'ended' || news.name !== name)
  }

  /** Takes all that nobody has taken. */
  drain(): readonly PendingNews[] {
    return this.#waiting.splice(0)
  }

  #more(signal: AbortSignal): Promise<void> {
    const added = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return untilAborted(added, signal)
  }

  #dropEvents(count: number): void {
    let left = count
    this.#waiting = this.#waiting.filter((news) => {
      const isKept = news.type !== 'event' || news.event.type === 'interaction_responded' || left === 0
      if (!isKept) left--
      return isKept
    })
    this.#events -= count - left
  }
}
