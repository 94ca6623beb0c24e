export interface LinkedAbort {
  readonly controller: AbortController
  /** Detaches from the outer signal. Call it when the work is over. */
  unlink(): void
}

/** Creates a controller that also aborts with the outer signal, for the same reason. */
export function linkAbort(outer: AbortSignal): LinkedAbort {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return { controller, unlink: () => outer.removeEventListener('abort', onAbort) }
}
