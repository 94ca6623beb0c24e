import type { Capability } from '../actor.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { Tool } from '../tool.ts'
import askText from './ask.md'
import bashText from './bash.md'
import editText from './edit.md'
import fetchText from './fetch.md'
import globText from './glob.md'
import grepText from './grep.md'
import parameters from './parameters.json' with { type: 'json' }
import processText from './process.md'
import readText from './read.md'
import type { ToolName } from './runner.ts'
import todoText from './todo.md'
import writeText from './write.md'

/** In the order the model sees them. */
export const tools: readonly Tool[] = [
  tool('read', readText, 'tool_read_file', () => true),
  tool('write', writeText, 'tool_edit_file', () => false),
  tool('edit', editText, 'tool_edit_file', () => false),
  tool('bash', bashText, 'tool_run_command', () => false),
  tool('process', processText, 'tool_run_command', onlyLooks),
  tool('grep', grepText, 'tool_read_file', () => true),
  tool('glob', globText, 'tool_read_file', () => true),
  tool('fetch', fetchText, 'tool_fetch_url', () => false),
  tool('todo', todoText, 'tool_read_file', () => true),
]

/** Where a person can be asked. */
export const askTool: Tool = tool('ask', askText, 'tool_read_file', () => true)

function tool(name: ToolName, text: string, capability: Capability, readOnly: Tool['readOnly']): Tool {
  return { name, description: text.trim(), parameters: parameters[name], capability, readOnly }
}

/** Whether a call of `process` neither writes to one nor ends it. */
function onlyLooks(args: JsonValue): boolean {
  const action = isJsonObject(args) ? args['action'] : undefined
  return action === 'list' || action === 'read' || action === 'wait'
}
