import { textField } from '../../json-value.ts'
import { defineTool } from '../define-tool.ts'
import text from './recall.md'

/** For users who turn it on. */
export const recallTool = defineTool(text, {
  name: 'recall',
  kind: 'search',
  capability: 'tool_read_file',
  readOnly: () => true,
  target: (args) => textField(args, 'query') ?? '',
})
