import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { isPipeError, PipeError } from '../../error.ts'
import { systemCode } from '../../files/system-error.ts'
import { BrokenPipe, type Output } from '../../terminal/output.ts'
import { usageError } from '../flags.ts'
import { writeAll } from '../standard-output.ts'

/** The highest descriptor that is looked at for the other end of a pipe. */
const highest = 255

/** Waits between two tries, and how many in a row without a byte taken mean that nobody reads: 10 s. */
const mostWaits = 2_000

/**
 * Opens the descriptor that gets events. `warn` is told once if they can no longer be written; the run goes on without them. Throws
 * `usage` unless the user opened it for writing.
 */
export function openEvents(given: string, warn: (line: string) => void): Output {
  const descriptor = readDescriptor(given)
  const write = writer(descriptor)
  let isLost = false
  return {
    isTerminal: false,
    write: (text) => {
      if (isLost) return
      try {
        writeAll(text, write, false)
      } catch (error) {
        if (!isPipeError(error) && !(error instanceof BrokenPipe)) throw error
        isLost = true
        const reason = isPipeError(error) ? reasonOf(error) : 'its reader is gone'
        warn(`--events-fd ${given} gets no more events: ${reason}; the run continues`)
      }
    },
  }
}

/** Returns why nothing could be written, which `writeAll` names as the cause. */
function reasonOf({ message, cause }: PipeError): string {
  return cause instanceof Error ? cause.message : message
}

/** Reads the number of a descriptor that the user opened for writing. Throws `usage`. */
function readDescriptor(given: string): number {
  const refuse = (reason: string) => usageError(`--events-fd ${given}: ${reason}`)
  if (!/^\d{1,6}$/.test(given))
    throw refuse('it takes the number of an open descriptor, as in: pipe --events-fd 3 3>events.ndjson')
  const descriptor = Number(given)
  if (descriptor <= 2) throw refuse('0 to 2 are stdin, stdout and stderr; take 3 or more')
  const status = statusOf(descriptor)
  if (status === undefined || isOfNode(descriptor, status))
    throw refuse(`descriptor ${descriptor} is not open; open it in the shell: ${descriptor}>events.ndjson`)
  if (!isWritable(descriptor)) throw refuse(`descriptor ${descriptor} is not open for writing`)
  return descriptor
}

/**
 * Whether Node opened the descriptor for itself: it is neither file, pipe, socket nor device, or both ends of its pipe are here, as
 * those of the pipe that Node wakes itself by.
 */
function isOfNode(descriptor: number, status: Stats): boolean {
  if (!status.isFIFO()) return !status.isFile() && !status.isSocket() && !status.isCharacterDevice()
  for (let other = 3; other <= highest; other += 1) {
    const end = other === descriptor ? undefined : statusOf(other)
    if (end?.ino === status.ino && end.dev === status.dev && isWritable(other) !== isWritable(descriptor))
      return true
  }
  return false
}

function statusOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor)
  } catch (error) {
    if (systemCode(error) !== 'EBADF') throw error
    return undefined
  }
}

/** Tries with nothing: the system refuses that too for a descriptor that is open for reading only. */
function isWritable(descriptor: number): boolean {
  try {
    writeSync(descriptor, new Uint8Array(0))
    return true
  } catch (error) {
    return systemCode(error) !== 'EBADF'
  }
}

/** Returns the function that writes bytes. It gives up on a pipe that nobody reads from, where the system can tell. */
function writer(given: number): Parameters<typeof writeAll>[1] {
  const descriptor = withoutBlocking(given)
  let waits = 0
  return (bytes, offset) => {
    try {
      const written = writeSync(descriptor, bytes, offset)
      waits = 0
      return written
    } catch (error) {
      if (systemCode(error) === 'EAGAIN' && ++waits > mostWaits)
        throw new PipeError('timeout', 'its reader has read nothing for 10 s', { cause: error })
      throw error
    }
  }
}

/**
 * Opens a pipe once more so that a write does not block, and closes the given descriptor, which commands would inherit. To change that one would
 * change it for all processes that share it. Returns it as it is where it cannot be opened again.
 */
function withoutBlocking(descriptor: number): number {
  if (!fstatSync(descriptor).isFIFO() || process.platform !== 'linux') return descriptor
  try {
    const own = openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
    closeSync(descriptor)
    return own
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return descriptor
  }
}
