import { closeSync, fstatSync, statSync, writeSync } from 'node:fs'
import { devNull } from 'node:os'
import { errorText, isPipeError, PipeError } from '../error.ts'
import { isHiccup, systemCode } from '../files/system-error.ts'
import { BrokenPipe, type Output } from '../terminal/output.ts'

/** Blocks while the reader is slow, as a pipe should. */
export async function openOutput(descriptor: number): Promise<Output> {
  const isScreen = await isTerminal(descriptor)
  const write = (bytes: Uint8Array, offset: number) => writeSync(descriptor, bytes, offset)
  // A terminal that is lost no longer counts as one.
  const { isatty } = isScreen ? await import('node:tty') : { isatty: () => false }
  return { isTerminal: isScreen, write: (text) => writeAll(text, write, isScreen, () => isatty(descriptor)) }
}

/** The stdout of a run that was started without one: a run that delivers nothing must not look like a success. */
export const closedOutput: Output = {
  isTerminal: false,
  write: (text) => {
    if (text !== '') throw new PipeError('internal', 'cannot write the output: stdout is closed')
  },
}

/** An output for notes. Drops them without an error when it cannot be written to. */
export async function openNotes(descriptor: number): Promise<Output> {
  const { isTerminal, write } = await openOutput(descriptor)
  let isLost = false
  return {
    isTerminal,
    write: (text) => {
      if (isLost) return
      try {
        write(text)
      } catch (error) {
        if (!isPipeError(error) && !(error instanceof BrokenPipe)) throw error
        isLost = true
      }
    },
  }
}

/** Columns of the terminal that stdout is. */
export function terminalColumns(): number {
  return process.stdout.columns || 80
}

/** Whether a descriptor is a terminal. Loads the terminal module only for devices other than `/dev/null`. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  if (!isDevice(descriptor)) return false
  const { isatty } = await import('node:tty')
  return isatty(descriptor)
}

/** Pause after a failed write to a terminal that is still there, and how often in a row it is tried again. */
const retryMs = 50
const mostRetries = 20

/**
 * Writes all of a text with a function that may write only part. Throws `BrokenPipe` when the reader is gone (EIO for a terminal, unless
 * `isThere`), and otherwise `internal` with the system's reason.
 */
export function writeAll(
  text: string,
  write: (bytes: Uint8Array, offset: number) => number,
  isTerminal: boolean,
  isThere: () => boolean = () => false,
): void {
  const bytes = new TextEncoder().encode(text)
  let offset = 0
  let retries = 0
  while (offset < bytes.length) {
    try {
      offset += write(bytes, offset)
      retries = 0
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EPIPE' || (code === 'EIO' && isTerminal)) {
        if (!isTerminal || !isThere() || ++retries > mostRetries) throw new BrokenPipe()
        wait(retryMs)
      } else if (!isHiccup(error))
        throw new PipeError('internal', `cannot write the output: ${errorText(error)}`, { cause: error })
      // The reader made the pipe non-blocking and has fallen behind: wait, as a blocking write would.
      else if (code === 'EAGAIN') wait(5)
    }
  }
}

/** Blocks the process for `ms`. */
function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Closes standard streams whose terminal is gone. Node restores terminal settings at exit, and aborts with a core dump if that fails. */
export function closeGoneTerminals(): void {
  for (const descriptor of [0, 1, 2]) {
    // A lost terminal no longer counts as one. Nothing uses other devices from here on.
    if (isDevice(descriptor) && !process.getBuiltinModule('node:tty').isatty(descriptor))
      closeSync(descriptor)
  }
}

function isDevice(descriptor: number): boolean {
  try {
    const device = fstatSync(descriptor)
    return device.isCharacterDevice() && device.rdev !== statSync(devNull).rdev
  } catch {
    return false
  }
}
