import { defineTool } from '../define-tool.ts'
import text from './todo.md'

export const todoTool = defineTool(text, {
  name: 'todo',
  aliases: ['TodoWrite'],
  kind: 'think',
  capability: 'tool_read_file',
  readOnly: () => true,
  display: 'plan',
})
