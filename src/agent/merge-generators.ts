type Arrival<T, R> =
  | { readonly index: number; readonly step: IteratorResult<T, R> }
  | { readonly index: number; readonly error: unknown }

/**
 * Runs several generators concurrently, yields their values as they arrive, and returns their results in order. On an early end
 * it first calls `stop`, as `return()` alone would wait for pending reads, and passes its result to `return()`.
 */
export async function* merge<T, R>(
  sources: readonly AsyncGenerator<T, R, undefined>[],
  stop: () => R,
): AsyncGenerator<T, R[], undefined> {
  const arrived: Arrival<T, R>[] = []
  const results = new Map<number, R>()
  let wake: () => void = () => undefined
  const pull = (index: number) => {
    const settle = (arrival: Arrival<T, R>) => {
      arrived.push(arrival)
      wake()
    }
    sources[index]?.next().then(
      (step) => settle({ index, step }),
      (error: unknown) => settle({ index, error }),
    )
  }
  for (const index of sources.keys()) pull(index)
  try {
    while (results.size < sources.length) {
      const arrival = arrived.shift()
      if (arrival === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if ('error' in arrival) throw arrival.error
      if (arrival.step.done === true) {
        results.set(arrival.index, arrival.step.value)
      } else {
        yield arrival.step.value
        pull(arrival.index)
      }
    }
    return [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
  } finally {
    if (results.size < sources.length) {
      const result = stop()
      await Promise.allSettled(sources.map((source) => source.return(result)))
    }
  }
}
