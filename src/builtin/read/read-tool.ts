import { textField } from '../../json-value.ts'
import { defineTool, pathArgument } from '../define-tool.ts'
import { pathUnderAnyName } from '../own-names.ts'
import text from './read.md'

export const readTool = defineTool(text, {
  name: 'read',
  hookName: 'Read',
  hookArguments: { path: 'file_path' },
  kind: 'read',
  capability: 'tool_read_file',
  // The tool itself tells texts from assets.
  otherCapability: () => 'read_assets',
  readOnly: () => true,
  paths: (args) => pathArgument(args, 'read'),
  title: (args, show) => `Read ${show(textField(args, 'path') ?? '.')}`,
  display: 'file',
  verb: 'reading',
  target: pathUnderAnyName,
})
