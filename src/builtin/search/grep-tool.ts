import { textField } from '../../json-value.ts'
import { defineTool, joinedArguments } from '../define-tool.ts'
import text from './grep.md'
import { searchedFolder, searchedPaths } from './searched-folder.ts'

export const grepTool = defineTool(text, {
  name: 'grep',
  hookName: 'Grep',
  hookArguments: { output: 'output_mode', ignore_case: '-i', context: '-C' },
  hookValues: { output: { lines: 'content', files: 'files_with_matches' } },
  kind: 'search',
  capability: 'tool_read_file',
  readOnly: () => true,
  paths: (args) => searchedPaths(args, 'glob'),
  title: (args, show) => `Search ${show(searchedFolder(args, 'glob'))}`,
  display: 'matches',
  verb: 'reading',
  target: (args) => joinedArguments(args, ['pattern', 'path'], ' in '),
  brief: (args) => textField(args, 'pattern') ?? '',
})
