import { textField } from '../../json-value.ts'
import { defineTool, pathArgument } from '../define-tool.ts'
import { pathUnderAnyName } from '../own-names.ts'
import text from './write.md'

export const writeTool = defineTool(text, {
  name: 'write',
  hookName: 'Write',
  hookArguments: { path: 'file_path' },
  kind: 'edit',
  capability: 'tool_edit_file',
  readOnly: () => false,
  keepsFiles: true,
  paths: (args) => pathArgument(args, 'write'),
  title: (args, show) => `Write ${show(textField(args, 'path') ?? '.')}`,
  display: 'diff',
  verb: 'editing',
  target: pathUnderAnyName,
})
