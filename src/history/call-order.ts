import { type Message, toolCalls } from '../message.ts'

/** Puts the results after each reply into the order of its calls, as they are saved in the order in which the calls ended. */
export function inCallOrder(messages: readonly Message[]): readonly Message[] {
  const ordered: Message[] = []
  for (let at = 0; at < messages.length; ) {
    const message = messages[at]
    if (message === undefined) break
    ordered.push(message)
    const end = endOfResults(messages, ++at)
    ordered.push(...sorted(message, messages.slice(at, end)))
    at = end
  }
  return ordered
}

function endOfResults(messages: readonly Message[], start: number): number {
  let end = start
  while (messages[end]?.type === 'tool_result') end++
  return end
}

function sorted(reply: Message, results: readonly Message[]): readonly Message[] {
  const positions = new Map(toolCalls(reply).map(({ id }, i) => [id, i]))
  const positionOf = (message: Message) =>
    (message.type === 'tool_result' ? positions.get(message.toolCallId) : undefined) ?? positions.size
  return results.toSorted((a, b) => positionOf(a) - positionOf(b))
}
