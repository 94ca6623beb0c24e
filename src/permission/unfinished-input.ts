import { textField } from '../json-value.ts'
import type { JudgedCall } from '../permission.ts'

/**
 * Keeps of each running process the beginning of a line that was sent to it, so that a line is judged whole although it is sent in
 * pieces. Keeps what was denied too: then the next piece is judged with it once more.
 */
export class UnfinishedInput {
  readonly #begun = new Map<string, string>()

  /** Returns the call with all of the line that its input goes on with; the call itself if it sends none, or begins a line. */
  joined(call: JudgedCall): JudgedCall {
    const input = call.tool.input?.(call.arguments)
    if (input === undefined) return call
    const process = textField(call.arguments, 'id') ?? ''
    const before = this.#begun.get(process) ?? ''
    const whole = before + input
    this.#begun.set(process, lastLine(whole))
    return before === '' ? call : { ...call, tool: { ...call.tool, input: () => whole } }
  }
}

/** The last line, with those before it that a backslash may continue. */
function lastLine(text: string): string {
  let end = text.lastIndexOf('\n')
  while (end > 0 && text[end - 1] === '\\') end = text.lastIndexOf('\n', end - 1)
  return text.slice(end + 1)
}
