import type { Clock } from '../../../clock.ts'

/** Milliseconds to wait for an answer. */
export const limitMs = 3_000

/** Resolves with what is asked, or with `undefined` if it takes too long. */
export async function answerInTime<Result>(
  ask: (signal: AbortSignal) => Promise<Result>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const limit = new AbortController()
  const stop = clock.after(limitMs, () => limit.abort())
  try {
    return await firstOf(ask(AbortSignal.any([signal, limit.signal])), limit.signal)
  } finally {
    stop()
  }
}

/** Returns `undefined` once the signal fires. */
function firstOf<Result>(work: Promise<Result>, limit: AbortSignal): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    limit.addEventListener('abort', () => resolve(undefined), { once: true })
    work.then(resolve, (error) => (limit.aborted ? resolve(undefined) : reject(error)))
  })
}
