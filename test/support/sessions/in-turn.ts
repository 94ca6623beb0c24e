import type { VectorStore } from '../../../src/memory/vector-store.ts'

/** Runs the calls of several stores one after the other. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
  return (store: VectorStore): VectorStore => ({
    upsert: (...args) => inTurn(() => store.upsert(...args)),
    upsertAll: (...args) => inTurn(() => store.upsertAll(...args)),
    search: (...args) => inTurn(() => store.search(...args)),
    searchScored: (...args) => inTurn(() => store.searchScored(...args)),
    remove: (...args) => inTurn(() => store.remove(...args)),
    removeWhere: (...args) => inTurn(() => store.removeWhere(...args)),
    generation: (...args) => inTurn(() => store.generation(...args)),
    close: () => inTurn(() => store.close()),
  })
}
