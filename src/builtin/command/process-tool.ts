import { type JsonValue, textField } from '../../json-value.ts'
import { defineTool, joinedArguments } from '../define-tool.ts'
import text from './process.md'

export const processTool = defineTool(text, {
  name: 'process',
  aliases: ['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop'],
  kind: 'execute',
  capability: 'tool_run_command',
  readOnly: onlyLooks,
  input: (args) => (textField(args, 'action') === 'write' ? (textField(args, 'input') ?? '') : undefined),
  allowance: (args) =>
    textField(args, 'action') === 'kill' ? 'it ends a process that was started here' : undefined,
  title: (args) =>
    textField(args, 'action') === 'write' ? 'Send this to a running command' : 'Use the tool process',
  looksOn: onlyLooks,
  display: 'process',
  target: (args) => joinedArguments(args, ['action', 'id', 'input']),
})

/** Whether a call neither writes to a process nor ends it. */
function onlyLooks(args: JsonValue): boolean {
  return ['list', 'read', 'wait'].includes(textField(args, 'action') ?? '')
}
