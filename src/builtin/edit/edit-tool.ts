import { textField } from '../../json-value.ts'
import { defineTool, pathArgument } from '../define-tool.ts'
import { pathUnderAnyName } from '../own-names.ts'
import text from './edit.md'

export const editTool = defineTool(text, {
  name: 'edit',
  hookName: 'Edit',
  hookArguments: { path: 'file_path', old_text: 'old_string', new_text: 'new_string' },
  aliases: ['MultiEdit', 'NotebookEdit'],
  kind: 'edit',
  capability: 'tool_edit_file',
  readOnly: () => false,
  keepsFiles: true,
  paths: (args) => pathArgument(args, 'write'),
  title: (args, show) => `Edit ${show(textField(args, 'path') ?? '.')}`,
  display: 'diff',
  verb: 'editing',
  target: pathUnderAnyName,
})
