import { closeSync, openSync } from 'node:fs'

/** Reads one line from a person; `undefined` when they leave or the signal fires. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>

/** Whether a person sits behind this process, whatever stdin and stdout are. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'))
    return true
  } catch {
    return false
  }
}

/** The terminal of the person behind this process. Its opener destroys the input and ends the output. */
export async function openTerminal() {
  const { ReadStream, WriteStream } = await import('node:tty')
  // A file stream would hang in a read that only another line from the person ends.
  const input = new ReadStream(openSync('/dev/tty', 'r'))
  const output = new WriteStream(openSync('/dev/tty', 'w'))
  return { input, output }
}

/** Asks on the controlling terminal, as ssh and sudo do. */
export const askOnTerminal: AskLine = async (question, signal) => {
  const { createInterface } = await import('node:readline/promises')
  const { input, output } = await openTerminal()
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
