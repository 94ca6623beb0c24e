import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { ReplyEnd } from '../models/fake-server.ts'
import { deltasOf } from './deltas.ts'

/**
 * Encodes a reply as server-sent events of Gemini, with CRLF line ends and the stop reason in the last. Calls arrive whole,
 * signed with `sig_` and their position in the reply, and without an id unless they have one.
 */
export function geminiEvents(blocks: readonly ScriptBlock[], end: ReplyEnd = {}): string[] {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15, ...end.usage }
  const last = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: end.finishReason ?? 'STOP' }
  return [
    ...blocks.flatMap((block, index) => parts(block, index).map((part) => partEvent(part))),
    event({ candidates: [{ ...last, index: 0 }], usageMetadata }),
  ]
}

/** Encodes an event with one part and extra fields of its candidate. */
export function partEvent(part: object, candidate: object = {}): string {
  return event({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...candidate }] })
}

/** Encodes one event. */
export function event(chunk: object): string {
  return `data: ${JSON.stringify({ ...chunk, modelVersion: 'fake-1', responseId: 'resp-1' })}\r\n\r\n`
}

function parts(block: ScriptBlock, index: number): object[] {
  switch (block.type) {
    case 'thinking':
      return deltasOf(block.thinking).map((text) => ({ text, thought: true }))
    case 'text':
      return deltasOf(block.text).map((text) => ({ text }))
    case 'tool_call': {
      const { id, name, arguments: args } = block
      const functionCall = { ...(id === undefined ? {} : { id }), name, args }
      return [{ functionCall, thoughtSignature: `sig_${index}` }]
    }
  }
}
