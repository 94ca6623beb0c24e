import { type JsonValue, textField } from '../../json-value.ts'
import { defineTool } from '../define-tool.ts'
import text from './task.md'

/** For users who turn it on. */
export const taskTool = defineTool(text, {
  name: 'task',
  kind: 'other',
  outlivesLimits: true,
  capability: 'create_task',
  readOnly: onlyReadsTasks,
  keepsFiles: true,
})

/** Whether a call adds no task. */
function onlyReadsTasks(args: JsonValue): boolean {
  return ['list', 'show'].includes(textField(args, 'action') ?? '')
}
