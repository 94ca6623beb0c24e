/** The reason of an abort because the process ends, not because the user stops the turn: open questions wait for the next run. */
export class ShutdownReason extends Error {}

/** Whether a signal has fired because the process ends. */
export function isShutdown({ reason }: AbortSignal): boolean {
  return reason instanceof ShutdownReason
}
