export interface LinkedAbort {
  readonly controller: AbortController
  /** Lets go of the outer signal; to be called when the work is over. */
  unlink(): void
}

/** A controller of one's own that fires with the outer signal too, with its reason. */
export function linkAbort(outer: AbortSignal): LinkedAbort {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return { controller, unlink: () => outer.removeEventListener('abort', onAbort) }
}
