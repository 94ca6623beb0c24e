import { defineTool } from '../define-tool.ts'
import text from './todo.md'

export const todoTool = defineTool(text, {
  name: 'todo',
  aliases: ['TodoWrite', 'TodoRead', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'],
  hookArguments: { items: 'todos', text: 'content' },
  hookValues: { status: { done: 'completed' } },
  kind: 'think',
  capability: 'tool_read_file',
  readOnly: () => true,
  display: 'plan',
})
