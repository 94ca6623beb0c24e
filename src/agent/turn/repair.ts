import {
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
  toolCalls,
} from '../../message.ts'

/** The result sent for a call that has none. */
export const interruptedText = '[interrupted: this call was not carried out to its end]'

/**
 * Repairs a history for servers: one result after each call, unique call ids, no result without its call. Deterministic, so that
 * prompt caches hit. Changes nothing in the session file.
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  const repaired: Message[] = []
  const usedIds = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    if (message.type === 'tool_result') continue
    if (message.type === 'user') {
      repaired.push(message)
      continue
    }
    const unique = withUniqueIds(message, usedIds)
    repaired.push(unique, ...resultsFor(message, unique, followingResults(messages, index)))
  }
  return repaired
}

/** Returns the results between this message and the next assistant message. */
function followingResults(messages: readonly Message[], index: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = []
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i]
    if (message === undefined || message.type === 'assistant') break
    if (message.type === 'tool_result') results.push(message)
  }
  return results
}

/** Renames calls whose id is taken, as some servers reuse one id. `used` maps each taken id to the last number appended to it. */
function withUniqueIds(message: AssistantMessage, used: Map<string, number>): AssistantMessage {
  const rename = (call: ToolCallBlock): ToolCallBlock => {
    let id = call.id
    let n = used.get(id) ?? 1
    while (used.has(id)) id = `${call.id}_${++n}`
    used.set(call.id, n).set(id, used.get(id) ?? 1)
    return id === call.id ? call : { ...call, id }
  }
  const content = message.content.map((block) => (block.type === 'tool_call' ? rename(block) : block))
  return content.every((block, i) => block === message.content[i]) ? message : { ...message, content }
}

function resultsFor(
  original: AssistantMessage,
  unique: AssistantMessage,
  results: ToolResultMessage[],
): ToolResultMessage[] {
  const calls = toolCalls(unique)
  return toolCalls(original).map((call, i) => {
    const at = results.findIndex((result) => result.toolCallId === call.id)
    const [found] = at < 0 ? [] : results.splice(at, 1)
    const toolCallId = calls[i]?.id ?? call.id
    if (found !== undefined) return found.toolCallId === toolCallId ? found : { ...found, toolCallId }
    return interruptedResult(original, { ...call, id: toolCallId })
  })
}

function interruptedResult(message: AssistantMessage, call: ToolCallBlock): ToolResultMessage {
  return {
    type: 'tool_result',
    id: message.id,
    timestamp: message.timestamp,
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: interruptedText }],
    isError: true,
  }
}
