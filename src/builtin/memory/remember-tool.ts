import { textField } from '../../json-value.ts'
import { defineTool } from '../define-tool.ts'
import text from './remember.md'

/** For sessions in which a user can be asked, as each call is. */
export const rememberTool = defineTool(text, {
  name: 'remember',
  kind: 'other',
  capability: 'tool_read_file',
  readOnly: () => false,
  keepsFiles: true,
  needsUser: true,
  target: (args) => textField(args, 'text') ?? '',
})
