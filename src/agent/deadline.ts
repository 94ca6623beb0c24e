import type { Clock } from '../clock.ts'
import type { PipeError } from '../error.ts'
import { outOfTime } from './limits.ts'
import { linkAbort } from './linked-abort.ts'

/** The time that a turn may take. */
export interface Deadline {
  /** Fires with the outer signal, and when the time is over. */
  readonly signal: AbortSignal
  /** `budget`, once the time is over. */
  readonly error: PipeError | undefined
  /** Leaves no timer behind. */
  end(): void
}

/** Begins to count. Without a limit, in milliseconds, the time is never over. */
export function startDeadline(clock: Clock, limitMs: number | undefined, outer: AbortSignal): Deadline {
  const { controller, unlink } = linkAbort(outer)
  const started = clock.monotonic()
  let error: PipeError | undefined
  const act = (ms: number) => {
    if (outer.aborted) return
    error = outOfTime(ms, clock.monotonic() - started)
    controller.abort(error)
  }
  const stop = limitMs === undefined ? undefined : clock.after(limitMs, () => act(limitMs))
  return {
    signal: controller.signal,
    get error() {
      return error
    },
    end: () => {
      unlink()
      stop?.()
    },
  }
}
