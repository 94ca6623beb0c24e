export interface MapOptions {
  /** Calls of `work` at once. */
  readonly jobs: number
  /** Most results that are kept or under way, so that a slow one holds up the reading, not the memory. */
  readonly ahead: number
  /** Ends the pending pull and the calls under way, when the results are no longer wanted. */
  readonly end: () => void
}

/**
 * Maps items by several calls at once, and yields the results in the order of the items. Pulls an item only when there is room for it.
 * Throws what the items or `work` throw. However it ends, no call is under way then.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterator<Item>,
  work: (item: Item) => Promise<Result>,
  { jobs, ahead, end }: MapOptions,
): AsyncGenerator<Result, undefined, undefined> {
  const results: Promise<Result>[] = []
  const news = new News()
  let running = 0
  let isOver = false
  const hasRoom = () => isOver || (running < jobs && results.length < ahead)
  const pull = async () => {
    for (;;) {
      while (!hasRoom()) await news.next()
      if (isOver) return
      const step = await items.next()
      if (step.done === true || isOver) return
      running += 1
      const result = work(step.value).finally(() => {
        running -= 1
        news.tell()
      })
      // Thrown when its turn comes.
      result.catch(() => undefined)
      results.push(result)
      news.tell()
    }
  }
  const pulling = pull().finally(() => {
    isOver = true
    news.tell()
  })
  pulling.catch(() => undefined)
  try {
    for (;;) {
      const [first] = results
      if (first !== undefined) {
        yield await first
        results.shift()
        news.tell()
      } else if (isOver) {
        await pulling
        return
      } else await news.next()
    }
  } finally {
    isOver = true
    end()
    news.tell()
    await Promise.allSettled([items.return?.(), pulling, ...results])
  }
}

/** Wakes those who wait for something to happen. */
class News {
  #waiting: (() => void)[] = []

  tell(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
