import type { Clock } from '../clock.ts'
import { isPipeError, type PipeError } from '../error.ts'
import { outOfTime } from './limits.ts'
import { linkAbort } from './linked-abort.ts'

/** The time limit of a turn. */
export interface Deadline {
  /** Aborts with the outer signal, or when the time is up. */
  readonly signal: AbortSignal
  /** `budget` once the time is up, or the outer signal's abort reason if that is a PipeError. */
  readonly error: PipeError | undefined
  /** Stops the timer. */
  end(): void
}

/** Starts the deadline. The limit is in milliseconds; without one it never expires. Part of it may already be spent. */
export function startDeadline(
  clock: Clock,
  limitMs: number | undefined,
  outer: AbortSignal,
  spentMs = 0,
): Deadline {
  const { controller, unlink } = linkAbort(outer)
  const started = clock.monotonic() - spentMs
  let error: PipeError | undefined
  const act = (ms: number) => {
    if (outer.aborted) return
    error = outOfTime(ms, clock.monotonic() - started)
    controller.abort(error)
  }
  const stop =
    limitMs === undefined ? undefined : clock.after(Math.max(0, limitMs - spentMs), () => act(limitMs))
  return {
    signal: controller.signal,
    get error() {
      return error ?? (isPipeError(outer.reason) ? outer.reason : undefined)
    },
    end: () => {
      unlink()
      stop?.()
    },
  }
}
