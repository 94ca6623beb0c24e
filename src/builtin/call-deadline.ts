import type { Clock } from '../clock.ts'

/** A signal that fires with the outer one or when the time is up. Release it when the work is done. */
export interface CallDeadline {
  readonly signal: AbortSignal
  /** Whether the time is up. */
  readonly passed: boolean
  release(): void
}

export function startCallDeadline(clock: Clock, ms: number, outer: AbortSignal): CallDeadline {
  const own = new AbortController()
  let passed = false
  const release = clock.after(ms, () => {
    passed = true
    own.abort()
  })
  return {
    signal: AbortSignal.any([outer, own.signal]),
    get passed() {
      return passed
    },
    release,
  }
}
