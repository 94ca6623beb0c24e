import { printable } from './printable.ts'

/** Writes text to a descriptor, at once and in order. */
export interface Output {
  readonly isTerminal: boolean
  /** Throws `BrokenPipe` when the reader is gone, and `internal` with the system's reason otherwise. */
  write(text: string): void
}

/** The standard outputs: answers and documents on stdout, everything else on stderr. */
export interface Outputs {
  readonly stdout: Output
  readonly stderr: Output
}

/** The reader of the output is gone. */
export class BrokenPipe extends Error {}

/** Writes a message of pipe's own to the user, without anything that acts on a terminal. */
export function printWarning({ stderr }: Pick<Outputs, 'stderr'>, text: string): void {
  stderr.write(`pipe: ${printable(text)}\n`)
}
