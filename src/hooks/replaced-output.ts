import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { HookEvent } from './hook.ts'

/** The text that takes the place of a call's result. */
export interface ReplacedOutput {
  readonly text: string
  /** Whether it is for tools of MCP servers only. */
  readonly isOfServer: boolean
}

/** Reads what a hook puts in the place of a result; `undefined` if it keeps it, as hooks before the result do. */
export function readReplacedOutput(
  event: HookEvent,
  own: JsonObject,
  clean: (text: string) => string,
): ReplacedOutput | undefined {
  const { updatedToolOutput, updatedMCPToolOutput } = own
  const value = updatedToolOutput ?? updatedMCPToolOutput
  if (event !== 'PostToolUse' || value === undefined) return undefined
  return { text: clean(textIn(value)), isOfServer: updatedToolOutput === undefined }
}

/** Returns the text of a result in the form of a tool: a text, blocks, `content`, or what a command printed. JSON for any other form. */
function textIn(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('\n')
  if (!isJsonObject(value)) return JSON.stringify(value)
  const { type, text, content, stdout, stderr } = value
  if (type === 'text' && typeof text === 'string') return text
  if (typeof content === 'string' || Array.isArray(content)) return textIn(content)
  const printed = [stdout, stderr].filter((one) => typeof one === 'string')
  return printed.length > 0 ? printed.filter((one) => one !== '').join('\n') : JSON.stringify(value)
}
