import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { ContentBlock, ToolCallBlock } from '../../message.ts'
import { object, objects, text } from '../../wire/json-fields.ts'
import type { ResultEntry, UserEntry } from '../import-entry.ts'
import { type LeaveOut, unknownBlocks } from '../left-out.ts'
import { callBlock, callBlockOf, mediaBlockOf, textBlock } from '../media-blocks.ts'

/** Beginnings of texts in the user's name that the agent wrote for its model. */
const contexts = [
  /^\s*<(environment_context|user_instructions|permissions instructions|collaboration_mode|personality_spec)>/,
  /^\s*<(skill|skills_instructions|turn_aborted|subagent_notification|goal_context|codex_internal_context)\b/,
  /^\s*# AGENTS\.md instructions for /,
]

export function isContext(words: string): boolean {
  return contexts.some((context) => context.test(words))
}

/** Whether a text in the user's name is what a sub-agent reported, as early versions wrote it. */
export function isReport(words: string): boolean {
  return /^\s*<subagent_notification>/.test(words)
}

/** Reads what one agent told another. Its encrypted form opens only for the account that it was made for. */
export function readReport(item: JsonObject, leaveOut: LeaveOut): readonly ContentBlock[] {
  const parts = objects(item['content'])
  const readable = parts.filter(({ type }) => type !== 'encrypted_content')
  if (readable.length < parts.length) leaveOut('encrypted messages between agents')
  const content = readShown(readable, leaveOut)
  return content.length === 0
    ? []
    : [textBlock(`[Message of ${text(item['author']) || 'an agent'}]\n\n`), ...content]
}

const requestHeading = '## My request for Codex:'

/** Separates the user's request from the open files that an editor put before it. */
export function splitRequest(content: readonly ContentBlock[]): Pick<UserEntry, 'content' | 'context'> {
  const [first, ...others] = content
  const at = first?.type === 'text' ? first.text.indexOf(requestHeading) : -1
  if (first?.type !== 'text' || at <= 0) return { content }
  const request = first.text.slice(at + requestHeading.length).trim()
  return { content: [textBlock(first.text.slice(0, at).trim()), textBlock(request), ...others], context: 1 }
}

/** Reads text and images. */
export function readShown(content: JsonValue | undefined, leaveOut: LeaveOut): readonly ContentBlock[] {
  if (typeof content === 'string') return [textBlock(content)]
  return objects(content).flatMap((part): ContentBlock[] => {
    switch (part['type']) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return [textBlock(text(part['text']))]
      case 'input_image':
        return [mediaBlockOf(text(part['image_url']), leaveOut)]
      default:
        leaveOut(unknownBlocks(part))
        return []
    }
  })
}

/** Reads the readable summary of a thought. Its encrypted form opens only for the account that it was made for. */
export function readReasoning(item: JsonObject, leaveOut: LeaveOut): readonly ContentBlock[] {
  if (text(item['encrypted_content']) !== '') leaveOut('encrypted thoughts')
  const parts = [...objects(item['summary']), ...objects(item['content'])]
  const thinking = parts.map((part) => text(part['text'])).join('\n\n')
  return thinking === '' ? [] : [{ type: 'thinking', thinking }]
}

/** Reads a call; `undefined` if it has no id. */
export function readCodexCall(item: JsonObject): ToolCallBlock | undefined {
  const id = text(item['call_id']) || text(item['id'])
  const name = text(item['name']) || 'unnamed'
  if (id === '') return undefined
  if (item['type'] === 'local_shell_call') return callBlock(id, 'local_shell', object(item['action']) ?? {})
  if (item['type'] === 'custom_tool_call') return callBlock(id, name, { input: text(item['input']) })
  return callBlockOf(id, name, text(item['arguments']))
}

/** Reads a result. Early versions wrap its text in JSON, with the exit code. */
export function readOutput(
  item: JsonObject,
  leaveOut: LeaveOut,
): Pick<ResultEntry, 'toolCallId' | 'content' | 'isError'> {
  const { output } = item
  const toolCallId = text(item['call_id'])
  const failed = isJsonObject(output) && output['success'] === false
  const shown = isJsonObject(output) ? output['content'] : output
  const wrapped = typeof shown === 'string' && shown.startsWith('{') ? parseJson(shown) : undefined
  if (isJsonObject(wrapped) && typeof wrapped['output'] === 'string') {
    const exitCode = object(wrapped['metadata'])?.['exit_code'] ?? 0
    return { toolCallId, content: [textBlock(wrapped['output'])], isError: failed || exitCode !== 0 }
  }
  const hasFailed = failed || (typeof shown === 'string' && exitLine.test(shown.slice(0, 200)))
  return { toolCallId, content: readShown(shown, leaveOut), isError: hasFailed }
}

/** The exit code of a command that failed, above its output. */
const exitLine = /^(Exit code: |Process exited with code )(?!0\b)/m
