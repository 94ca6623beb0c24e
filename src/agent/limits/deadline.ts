import type { Clock } from '../../clock.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import { linkAbort } from '../linked-abort.ts'
import { outOfTime } from './run-limits.ts'

/** The time limit of a turn. */
export interface Deadline {
  /** Aborts with the outer signal, or when the time is up. */
  readonly signal: AbortSignal
  /** `budget` once the time is up, or the outer signal's abort reason if that is a PipeError. */
  readonly error: PipeError | undefined
  /** Stops the timer. */
  end(): void
}

/** A deadline that can be held. */
export interface HeldDeadline extends Deadline {
  /** Stops the time while a person is waited for. */
  hold(): void
  /** Lets the time go on. */
  release(): void
}

/** Starts the deadline. The limit is in milliseconds; without one it never expires. Part of it may already be spent. */
export function startDeadline(
  clock: Clock,
  limitMs: number | undefined,
  outer: AbortSignal,
  spentMs = 0,
): HeldDeadline {
  const { controller, unlink } = linkAbort(outer)
  let started = clock.monotonic() - spentMs
  let heldAt: number | undefined
  let error: PipeError | undefined
  const act = (ms: number) => {
    if (outer.aborted) return
    error = outOfTime(ms, clock.monotonic() - started)
    controller.abort(error)
  }
  const start = () => {
    if (limitMs === undefined) return undefined
    const left = limitMs - (clock.monotonic() - started)
    return clock.after(Math.max(0, left), () => act(limitMs))
  }
  let stop = start()
  return {
    signal: controller.signal,
    get error() {
      return error ?? (isPipeError(outer.reason) ? outer.reason : undefined)
    },
    hold: () => {
      if (controller.signal.aborted) return
      heldAt ??= clock.monotonic()
      stop?.()
    },
    release: () => {
      if (heldAt === undefined) return
      started += clock.monotonic() - heldAt
      heldAt = undefined
      stop = start()
    },
    end: () => {
      unlink()
      stop?.()
    },
  }
}
