/** The reason of an abort because the process ends, not because the user stops the turn: open questions wait for the next run. */
export class Leaving extends Error {}

/** Whether a signal has fired because the process ends. */
export function isLeaving({ reason }: AbortSignal): boolean {
  return reason instanceof Leaving
}
