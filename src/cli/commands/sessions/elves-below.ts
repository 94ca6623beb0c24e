import type { SessionId } from '../../../id.ts'
import type { SessionSummary } from '../../../session.ts'

/**
 * Puts the sessions of elves below those of their parents, oldest first. Holds back only sessions that may have elves further down: an elf
 * is never older than its parent. Elves without a parent in the list come last.
 */
export async function* elvesBelow(
  newestFirst: AsyncIterable<SessionSummary>,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  const elves = new Map<SessionId, SessionSummary[]>()
  let held: readonly SessionSummary[] = []
  const release = (count: number) => {
    const released = held.slice(0, count).flatMap((parent) => {
      const below = elves.get(parent.id) ?? []
      elves.delete(parent.id)
      return [parent, ...below.reverse()]
    })
    held = held.slice(count)
    return released
  }
  for await (const summary of newestFirst) {
    const { parentId, updatedAt } = summary
    if (parentId !== undefined) {
      elves.set(parentId, [...(elves.get(parentId) ?? []), summary])
      continue
    }
    const waiting = held.findIndex(({ createdAt }) => createdAt <= updatedAt)
    yield* release(waiting === -1 ? held.length : waiting)
    held = [...held, summary]
  }
  yield* release(held.length)
  for (const orphans of elves.values()) yield* orphans
}
