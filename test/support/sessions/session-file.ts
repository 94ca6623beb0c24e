import * as z from 'zod'
import { interruptedText } from '../../../src/agent/turn/repair.ts'

const block = z.looseObject({ type: z.string() })

const message = z.looseObject({
  id: z.string(),
  type: z.enum(['user', 'assistant', 'tool_result']),
  content: z.array(block),
  stop_reason: z.string().optional(),
  is_error: z.boolean().optional(),
})

const file = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  cwd: z.string().optional(),
  messages: z.array(message),
})

/** A session on disk. */
export type SessionFile = z.infer<typeof file>

/** Parses valid JSON that must be a session. */
export function readSessionFile(text: string): SessionFile {
  return file.parse(JSON.parse(text))
}

/** Formats the conversation, one message per line: the speaker, then the last text or each call. */
export function outline({ messages }: SessionFile): readonly string[] {
  return messages.map(({ type, content, stop_reason, is_error }) => {
    const said = type === 'user' ? content.slice(-1) : content
    const parts = said.map((part) => part['text'] ?? part['thinking'] ?? part['name'] ?? part.type)
    const ending = stop_reason === undefined || stop_reason === 'end_turn' ? '' : ` [${stop_reason}]`
    return `${type}: ${parts.join(' + ')}${is_error === true ? ' [error]' : ending}`
  })
}

/** The line of a call that was cut off. */
export const cutOff = `tool_result: ${interruptedText} [error]`
