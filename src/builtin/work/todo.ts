import { textResult } from '../../tool.ts'
import { defineRunner } from '../runner.ts'

export const todo = defineRunner({
  name: 'todo',
  schema: (schemas) => schemas.todo(),
  async run({ items }) {
    const done = items.filter(({ status }) => status === 'done').length
    return textResult(`${done} of ${items.length} done`, { todo: items })
  },
})
