/** What ended the run from outside, with its exit code: 128 and the signal's number. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof signalExitCodes

export interface Interruption {
  readonly signal: AbortSignal
  /** The first one that came. */
  readonly cause: EndingSignal | undefined
  /** Ends the run as the signal would. */
  raise(cause: EndingSignal): void
  close(): void
}

/** Turns process signals into an abort. The run then saves and ends by itself; a second SIGINT ends the process at once. */
export function watchSignals(): Interruption {
  const controller = new AbortController()
  let cause: EndingSignal | undefined
  const raise = (name: EndingSignal) => {
    if (cause !== undefined && name === 'SIGINT') process.exit(signalExitCodes.SIGINT)
    cause ??= name
    controller.abort(new Error(name))
  }
  const watched = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => [name, () => raise(name)] as const)
  for (const [name, listener] of watched) process.on(name, listener)
  return {
    signal: controller.signal,
    get cause() {
      return cause
    },
    raise,
    close: () => {
      for (const [name, listener] of watched) process.off(name, listener)
    },
  }
}
