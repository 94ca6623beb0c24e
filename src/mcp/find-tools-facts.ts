import { textField } from '../json-value.ts'
import type { ToolFacts } from '../tool.ts'

/** The facts about the tool that finds those of servers. */
export const findToolsFacts: ToolFacts = {
  name: 'find_tools',
  aliases: ['ToolSearch'],
  kind: 'search',
  capability: 'tool_read_file',
  // It may start a server, which the user has configured or approved.
  readOnly: () => true,
  verb: 'looking for tools',
  target: (args) => textField(args, 'query') ?? '',
}
