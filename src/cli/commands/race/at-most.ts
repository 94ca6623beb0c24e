/** Works on all items, at most so many at once. The results are in the order of the items. Stops at the first failure and throws it. */
export async function atMost<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<Item, Result>()
  const queue = items.values()
  let isOver = false
  const pull = async (): Promise<void> => {
    for (const item of queue) {
      if (isOver) return
      try {
        results.set(item, await work(item))
      } catch (error) {
        isOver = true
        throw error
      }
    }
  }
  const running = Array.from({ length: most }, pull)
  const ends = await Promise.allSettled(running)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return items.flatMap((item) => results.get(item) ?? [])
}
