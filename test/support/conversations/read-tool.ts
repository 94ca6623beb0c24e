import type { Tool } from '../../../src/tool.ts'

/** A tool as the model sees it. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  capability: 'tool_read_file',
  readOnly: () => true,
}
