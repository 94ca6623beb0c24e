import type { Tool } from '../../src/tool.ts'

/** A tool as a model is shown it. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  capability: 'tool_read_file',
  readOnly: () => true,
}
