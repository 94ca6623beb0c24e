import { textResult } from '../tool.ts'
import { defineTool } from './definition.ts'
import description from './todo.md'

export const todo = defineTool({
  name: 'todo',
  description,
  capability: 'tool_read_file',
  readOnly: true,
  schema: (schemas) => schemas.todo,
  async run({ items }) {
    const done = items.filter(({ status }) => status === 'done').length
    return textResult(`${done} of ${items.length} done`, { todo: items })
  },
})
