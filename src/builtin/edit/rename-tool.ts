import { textField } from '../../json-value.ts'
import { defineTool, joinedArguments } from '../define-tool.ts'
import text from './rename.md'

export const renameTool = defineTool(text, {
  name: 'rename',
  disallowedWith: 'edit',
  kind: 'edit',
  capability: 'tool_edit_file',
  readOnly: () => false,
  paths: (args) => {
    const [from, to] = [textField(args, 'from'), textField(args, 'to')]
    return from === undefined || to === undefined
      ? []
      : [
          { path: from, access: 'write' },
          { path: to, access: 'write', from },
        ]
  },
  title: (args, show) =>
    `Rename ${show(textField(args, 'from') ?? '.')} to ${show(textField(args, 'to') ?? '.')}`,
  display: 'file_change',
  verb: 'editing',
  target: (args) => joinedArguments(args, ['from', 'to'], ' → '),
})
