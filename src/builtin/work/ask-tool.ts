import { defineTool } from '../define-tool.ts'
import text from './ask.md'

/** For sessions in which a user can be asked. */
export const askTool = defineTool(text, {
  name: 'ask',
  aliases: ['AskUserQuestion'],
  kind: 'other',
  capability: 'tool_read_file',
  readOnly: () => true,
  needsUser: true,
  display: 'answers',
})
