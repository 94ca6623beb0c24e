import { textField } from '../../json-value.ts'
import { defineTool, joinedArguments } from '../define-tool.ts'
import text from './glob.md'
import { searchedFolder, searchedPaths } from './searched-folder.ts'

export const globTool = defineTool(text, {
  name: 'glob',
  hookName: 'Glob',
  kind: 'search',
  capability: 'tool_read_file',
  readOnly: () => true,
  paths: (args) => searchedPaths(args, 'pattern'),
  title: (args, show) => `Search ${show(searchedFolder(args, 'pattern'))}`,
  display: 'files',
  verb: 'reading',
  target: (args) => joinedArguments(args, ['pattern', 'path'], ' in '),
  brief: (args) => textField(args, 'pattern') ?? '',
})
