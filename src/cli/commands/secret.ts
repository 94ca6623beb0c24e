import { PipeError } from '../../error.ts'
import { openTerminal } from '../controlling-terminal.ts'
import type { Interruption } from '../signals.ts'
import { isTerminal } from '../standard-output.ts'

/** Maximum characters of a key. */
const longest = 16_384

/**
 * Reads one secret line: typed on the controlling terminal without echo, or the first line of stdin if that is not a terminal. Empty
 * without input. Ctrl-C interrupts the run. Throws `aborted`.
 */
export async function readSecret(question: string, interruption: Interruption): Promise<string> {
  try {
    return (await isTerminal(0))
      ? await readHidden(question, interruption)
      : await readFirstLine(interruption.signal)
  } catch (error) {
    if (interruption.signal.aborted) throw new PipeError('aborted', 'interrupted', { cause: error })
    throw error
  }
}

async function readFirstLine(signal: AbortSignal): Promise<string> {
  const { stdin } = process
  const onAbort = () => stdin.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    let text = ''
    for await (const chunk of stdin.setEncoding('utf8')) {
      text += chunk
      if (text.includes('\n') || text.length > longest) break
    }
    return text.split('\n', 1)[0] ?? ''
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function readHidden(question: string, interruption: Interruption): Promise<string> {
  const { input, output, setRawMode } = await openTerminal()
  const { signal } = interruption
  const leave = () => {
    if (input.destroyed) return
    setRawMode(false)
    input.destroy()
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    setRawMode(true)
    output.write(question)
    const line = new HiddenLine()
    for await (const chunk of input.setEncoding('utf8')) {
      const end = line.type(chunk)
      if (end === 'interrupted') interruption.raise('SIGINT')
      if (end !== undefined) break
    }
    if (signal.aborted) throw new PipeError('aborted', 'interrupted')
    return line.text
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
    output.end('\n')
  }
}

/** A line typed in raw terminal mode. */
export class HiddenLine {
  #text = ''

  get text(): string {
    return this.#text.replaceAll('\u001b[200~', '').replaceAll('\u001b[201~', '')
  }

  /** Adds typed characters. Returns how the line ended, if it did, and drops the rest. */
  type(typed: string): 'entered' | 'interrupted' | undefined {
    for (const character of typed) {
      switch (character) {
        case '\r':
        case '\n':
        case '\u0004':
          return 'entered'
        case '\u0003':
          return 'interrupted'
        case '\u0008':
        case '\u007f':
          this.#text = this.#text.slice(0, -1)
          break
        case '\u0015':
          this.#text = ''
          break
        default:
          this.#text += character
      }
    }
    return undefined
  }
}
