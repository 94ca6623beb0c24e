import { textField } from '../../json-value.ts'
import { hostIn } from '../../machine/url-host.ts'
import { defineTool } from '../define-tool.ts'
import text from './fetch.md'

export const fetchTool = defineTool(text, {
  name: 'fetch',
  aliases: ['WebFetch'],
  kind: 'fetch',
  capability: 'tool_fetch_url',
  readOnly: () => false,
  keepsFiles: true,
  url: (args) => textField(args, 'url'),
  title: (args) => `Fetch ${hostIn(textField(args, 'url')) ?? 'this page'}`,
  target: (args) => textField(args, 'url') ?? '',
})
