/** Signals that end a run, with their exit codes: 128 and the signal's number. */
export const signalExitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGPIPE: 141,
  SIGTERM: 143,
} as const

export type EndingSignal = keyof typeof signalExitCodes
