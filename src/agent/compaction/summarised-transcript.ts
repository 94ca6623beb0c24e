import { unreachable } from '../../error.ts'
import { isMark, type Message, textContent, toolCalls } from '../../message.ts'
import { excerpt } from './excerpt.ts'
import { estimateText } from './token-estimate.ts'

/** Maximum characters of a message's text, and of a call's arguments or output. */
interface Lengths {
  readonly said: number
  readonly output: number
}

const full: Lengths = { said: Number.POSITIVE_INFINITY, output: 4_000 }
const short: Lengths = { said: 4_000, output: 200 }

/**
 * Formats messages as a text of about `room` tokens at most. Shortens long outputs, then all texts, and then drops the oldest
 * messages, except a summary at the beginning. Leaves out thoughts and images.
 */
export function transcript(messages: readonly Message[], room: number): string {
  const whole = messages.map((message) => entry(message, full))
  return sizeOf(whole) <= room ? whole.join('\n') : latest(messages, room).join('\n')
}

function latest(messages: readonly Message[], room: number): readonly string[] {
  const entries = messages.map((message) => entry(message, short))
  const lead = messages[0] !== undefined && isMark(messages[0]) ? 1 : 0
  let from = lead
  for (let size = sizeOf(entries); size > room && from < entries.length; from++)
    size -= estimateText(entries[from] ?? '')
  if (from === lead) return entries
  return [...entries.slice(0, lead), `[${from - lead} messages are left out here]`, ...entries.slice(from)]
}

function sizeOf(entries: readonly string[]): number {
  return entries.reduce((sum, text) => sum + estimateText(text), 0)
}

function entry(message: Message, { said, output }: Lengths): string {
  const text = textContent(message)
  switch (message.type) {
    case 'user':
      return under(isMark(message) ? 'Earlier summary' : 'Person', excerpt(text, said))
    case 'assistant':
      return [
        ...(text === '' ? [] : [under('Agent', excerpt(text, said))]),
        ...toolCalls(message).map(({ name, arguments: args, argumentsRaw }) =>
          under(`Agent calls ${name}`, excerpt(argumentsRaw ?? JSON.stringify(args), output)),
        ),
      ].join('\n')
    case 'tool_result':
      return under(
        `${message.toolName} ${message.isError ? 'failed' : 'gave'}`,
        excerpt(text || '(no text)', output),
      )
    default:
      return unreachable(message)
  }
}

/** Indents the text so that it cannot look like a heading. */
function under(heading: string, text: string): string {
  return `${heading}:\n${text.replace(/^/gm, ' ')}`
}
