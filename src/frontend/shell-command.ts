/** A part of the output of a command of the user. */
export interface ShellOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly chunk: string
}

/** The end of a command of the user. */
export interface ShellEnd {
  /** Its output as the model gets it: the beginning and the end of a long one. */
  readonly text: string
  /** Lines of the whole output, and the file that holds it, if `text` has not all of it. */
  readonly lines?: number | undefined
  readonly spill?: string | undefined
  readonly isError: boolean
  readonly exitCode: number | null
  readonly durationMs: number
}
