import { closeSync, constants, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { systemCode } from '../files/system-error.ts'
import type { AskLine } from '../line/line-question.ts'

/** Whether this process has a terminal with a user, whatever stdin and stdout are. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'))
    return true
  } catch {
    return false
  }
}

/** Opens the terminal that controls this process. The caller destroys the input and ends the output. */
export async function openTerminal() {
  const { ReadStream, WriteStream } = await import('node:tty')
  // A file stream would hang in a read until the user types another line, as this one does under Bun.
  const terminal = new ReadStream(openSync('/dev/tty', 'r'))
  const output = new WriteStream(openSync('/dev/tty', 'w'))
  const input = 'bun' in process.versions ? await besideTerminal(terminal) : terminal
  return { input, output, setRawMode: (isRaw: boolean) => terminal.setRawMode(isRaw) }
}

/** Reads the terminal under Bun, and closes what changes its mode. */
async function besideTerminal(terminal: ReadStream): Promise<Readable> {
  const { bunSource } = await import('../process/pipe-source.ts')
  const source = bunSource(openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK))
  return source.once('close', () => terminal.destroy())
}

/** Asks on the controlling terminal, as ssh and sudo do. Drops what was typed before the question, so that it does not count as the answer. */
export const askOnTerminal: AskLine = async (question, signal) => {
  const { createInterface } = await import('node:readline/promises')
  const { input, output, setRawMode } = await openTerminal()
  dropTypedAhead(setRawMode)
  const lines = createInterface({ input, output, terminal: false })
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  try {
    return await Promise.race([lines.question(question, { signal }), closed])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    lines.close()
    input.destroy()
    output.end()
  }
}

/** Empties the terminal's input. In raw mode a line without its Enter can be read, too. */
function dropTypedAhead(setRawMode: (isRaw: boolean) => void): void {
  setRawMode(true)
  try {
    readTypedAhead()
  } finally {
    setRawMode(false)
  }
}

/** Reads what the terminal has for this process, without waiting for more. Outside raw mode that is only whole lines. */
export function readTypedAhead(): Buffer {
  const descriptor = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK)
  const pieces: Buffer[] = []
  try {
    for (;;) {
      const piece = Buffer.alloc(4_096)
      const length = readSync(descriptor, piece)
      if (length === 0) break
      pieces.push(piece.subarray(0, length))
    }
  } catch (error) {
    if (systemCode(error) !== 'EAGAIN') throw error
  } finally {
    closeSync(descriptor)
  }
  return Buffer.concat(pieces)
}
