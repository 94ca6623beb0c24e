import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import type { ContentBlock } from '../message.ts'
import type { Tool, ToolFacts } from '../tool.ts'

/** Whether a tool is given to clients that were not promised any: it only looks at files that its calls name. */
export function isGivenUnasked({ kind, readOnly, paths }: ToolFacts): boolean {
  return (kind === 'read' || kind === 'search') && paths !== undefined && readOnly({})
}

/** Lists a tool for clients, with hints from what it says of itself. */
export function listTool({ name, description, parameters, kind, readOnly }: Tool): ListedTool {
  const readOnlyHint = readOnly({})
  return {
    name,
    description,
    inputSchema: { ...parameters, type: 'object' },
    annotations: {
      readOnlyHint,
      destructiveHint: !readOnlyHint && (kind === 'edit' || kind === 'execute'),
      openWorldHint: kind === 'fetch' || kind === 'execute',
    },
  }
}

/** Returns the result of a call for its client. */
export function listResult(content: readonly ContentBlock[], isError: boolean): CallToolResult {
  return { content: content.flatMap(listBlock), ...(isError && { isError }) }
}

/** Returns a failure with one text. */
export function failedResult(text: string): CallToolResult {
  return listResult([{ type: 'text', text }], true)
}

function listBlock(block: ContentBlock, i: number): CallToolResult['content'] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
      return [{ type: 'image', data: block.data, mimeType: block.mimeType }]
    case 'document': {
      const { data, mimeType, name = `document-${i + 1}` } = block
      const uri = `pipe://document/${encodeURIComponent(name)}`
      return [{ type: 'resource', resource: { uri, mimeType, blob: data } }]
    }
    default:
      return []
  }
}
