import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { defineTool, pathArgument } from '../define-tool.ts'
import { pathUnderAnyName } from '../own-names.ts'
import text from './edit.md'

export const editTool = defineTool(text, {
  name: 'edit',
  hookName: 'Edit',
  hookArguments: { path: 'file_path', old_text: 'old_string', new_text: 'new_string' },
  hookCall: inPeerForm,
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

/** Hooks know several edits of a file as `MultiEdit`, and look for one outside a list. */
function inPeerForm(args: JsonValue) {
  if (!isJsonObject(args) || !Array.isArray(args['edits'])) return undefined
  const { edits, old_text, new_text, replace_all, ...about } = args
  const isMissing = old_text === undefined || new_text === undefined || (old_text === '' && edits.length > 0)
  const single = isMissing ? [] : [omitUndefined({ old_text, new_text, replace_all })]
  const all: readonly JsonValue[] = [...single, ...edits]
  const [only = {}, ...others] = all
  return others.length === 0 && isJsonObject(only)
    ? { name: 'Edit', arguments: { ...about, ...only } }
    : { name: 'MultiEdit', arguments: { ...about, edits: all } }
}
