import { fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'
import { PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { printable } from '../terminal/printable.ts'

/** A descriptor that text is written to, at once and in order. */
export interface Output {
  readonly isTerminal: boolean
  /** Throws `BrokenPipe` when the reader is gone, and `internal` with the system's reason otherwise. */
  write(text: string): void
}

/** A line of pipe's own for the person, with nothing in it that acts on a terminal. */
export function tell({ stderr }: { readonly stderr: Output }, text: string): void {
  stderr.write(`pipe: ${printable(text)}\n`)
}

/** Nobody reads our output any more. */
export class BrokenPipe extends Error {}

/** Blocks while the reader is slow, which is the back-pressure a pipe should have. */
export async function openOutput(descriptor: number): Promise<Output> {
  return {
    isTerminal: await isTerminal(descriptor),
    write: (text) => writeAll(descriptor, new TextEncoder().encode(text)),
  }
}

/** Asks the terminal module only about what may be one, so that a run between files, pipes and `/dev/null` never loads it. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    const device = fstatSync(descriptor)
    if (!device.isCharacterDevice() || device.rdev === statSync(devNull).rdev) return false
  } catch {
    return false
  }
  const { isatty } = await import('node:tty')
  return isatty(descriptor)
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let offset = 0
  while (offset < bytes.length) {
    try {
      offset += writeSync(descriptor, bytes, offset)
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EPIPE') throw new BrokenPipe()
      if (code !== 'EAGAIN')
        throw new PipeError('internal', `cannot write the output: ${reason(error)}`, { cause: error })
      // The reader made the pipe non-blocking and is behind: wait a moment, as a blocking write would.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
