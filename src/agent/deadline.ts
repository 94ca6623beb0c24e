import type { Clock } from '../clock.ts'
import { isPipeError, type PipeError } from '../error.ts'
import { outOfTime } from './limits.ts'
import { linkAbort } from './linked-abort.ts'

/** The time that a turn may take. */
export interface Deadline {
  /** Fires with the outer signal, and when the time is over. */
  readonly signal: AbortSignal
  /** `budget`, once the time is over. */
  readonly error: PipeError | undefined
  /** Leaves no timer behind. */
  end(): Promise<void>
}

/** Begins to count. Without a limit, in milliseconds, the time is never over. */
export function startDeadline(clock: Clock, limitMs: number | undefined, outer: AbortSignal): Deadline {
  const { controller, unlink } = linkAbort(outer)
  const stop = new AbortController()
  let error: PipeError | undefined
  const run = async (ms: number) => {
    const started = clock.monotonic()
    try {
      await clock.sleep(ms, stop.signal)
    } catch (stopped) {
      if (isPipeError(stopped)) return
      throw stopped
    }
    if (outer.aborted) return
    error = outOfTime(ms, clock.monotonic() - started)
    controller.abort(error)
  }
  const timer = limitMs === undefined ? undefined : run(limitMs)
  return {
    signal: controller.signal,
    get error() {
      return error
    },
    end: async () => {
      unlink()
      stop.abort()
      await timer
    },
  }
}
