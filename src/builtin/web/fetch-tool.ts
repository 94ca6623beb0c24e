import { textField } from '../../json-value.ts'
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
  title: (args) => `Fetch ${hostOf(textField(args, 'url')) ?? 'this page'}`,
  target: (args) => textField(args, 'url') ?? '',
})

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined
}
