import { isJsonObject, textField } from '../json-value.ts'
import type { ToolFacts } from '../tool.ts'

const reading = {
  kind: 'search',
  capability: 'tool_read_file',
  // It may start a server, which runs only in a folder that the user trusts.
  readOnly: () => true,
  paths: (args) => {
    const path = textField(args, 'path')
    return path === undefined ? [] : [{ path, access: 'read' }]
  },
  display: 'matches',
} satisfies Partial<ToolFacts>

/** The facts about the tool that lists what files define. */
export const symbolsFacts: ToolFacts = {
  ...reading,
  name: 'symbols',
  verb: 'looking for symbols',
  target: (args) =>
    [textField(args, 'query'), textField(args, 'path')].filter((one) => one !== undefined).join(' in '),
}

/** The facts about the tool that finds the uses of a name. */
export const referencesFacts: ToolFacts = {
  ...reading,
  name: 'references',
  verb: 'looking for uses',
  target: (args) => {
    const line = isJsonObject(args) && typeof args['line'] === 'number' ? `:${args['line']}` : ''
    return `${textField(args, 'name') ?? ''} in ${textField(args, 'path') ?? ''}${line}`
  },
}
