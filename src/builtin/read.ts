import { isPipeError } from '../error.ts'
import { cutText, LineCollector } from '../files/lines.ts'
import { maxMediaBytes, mediaType } from '../media.ts'
import { errorResult, type ToolResult, textResult } from '../tool.ts'
import { defineTool } from './definition.ts'
import { limits } from './limits.ts'
import { missingFile } from './near-names.ts'
import description from './read.md'
import { isBinary, revisionOf } from './text-file.ts'
import { displayPath, resolvePath, type Workspace } from './workspace.ts'

export const read = defineTool({
  name: 'read',
  description,
  capability: 'tool_read_file',
  readOnly: true,
  schema: (schemas) => schemas.read,
  async run(args, workspace, { signal }) {
    const path = resolvePath(workspace, args.path)
    try {
      return await readPath(workspace, { ...args, path }, signal)
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (error.code === 'not_found') return errorResult(await missingFile(workspace, path, signal))
      if (error.details['reason'] === 'EISDIR') return listing(workspace, path, signal)
      throw error
    }
  },
})

interface Wanted {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

async function readPath(workspace: Workspace, wanted: Wanted, signal: AbortSignal): Promise<ToolResult> {
  const { path, offset = 1 } = wanted
  const shown = displayPath(workspace, path)
  const bytes = await workspace.artifacts.readFile(path, { maxBytes: limits.fileBytes + 1, signal })
  const mimeType = mediaType(bytes)
  if (mimeType?.startsWith('image/') === true) return image(shown, mimeType, bytes)
  if (isBinary(bytes)) return errorResult(`${shown} is binary (${kindOf(bytes)}): look at it through bash`)
  const range = {
    start: offset,
    end: offset + Math.min(wanted.limit ?? limits.lines, limits.lines) - 1,
    // Longer than a line that is shown whole, so that a cut is seen.
    maxLineLength: limits.line + 2,
  }
  const small = bytes.length <= limits.fileBytes
  if (small) workspace.ledger.record(path, revisionOf(bytes))
  const { lines, more, total } = small
    ? collect(bytes, new LineCollector(range))
    : await workspace.artifacts.readFileRange(path, range, { signal })
  if (lines.length > 0) return textResult(numbered(lines, offset, more, total))
  if (total === 0) return textResult(`(${shown} is empty)`)
  return errorResult(`offset ${offset} is beyond the end of ${shown}, which has ${total ?? 'fewer'} lines`)
}

function collect(bytes: Uint8Array, collector: LineCollector) {
  collector.push(bytes)
  return collector.finish()
}

/** `12<tab>text` a line, up to the size of a result, and how to go on. */
function numbered(lines: readonly string[], first: number, more: boolean, total: number | undefined): string {
  const out: string[] = []
  let size = 0
  for (const [i, line] of lines.entries()) {
    const text = line.length > limits.line ? `${cutText(line, limits.line)} [line cut]` : line
    const row = `${first + i}\t${text}`
    size += Buffer.byteLength(row) + 1
    if (size > limits.bytes) break
    out.push(row)
  }
  if (!more && out.length === lines.length) return out.join('\n')
  const next = first + out.length
  const of = total === undefined ? '' : ` of ${total}`
  return `${out.join('\n')}\n[lines ${first}-${next - 1}${of}; use offset=${next} to go on]`
}

function image(shown: string, mimeType: string, bytes: Uint8Array): ToolResult {
  if (bytes.length > maxMediaBytes) {
    return errorResult(`${shown} is an image above 4.5 MB: make it smaller through bash first`)
  }
  const data = Buffer.from(bytes).toString('base64')
  return {
    content: [
      { type: 'text', text: `${shown}: ${mimeType}, ${bytes.length} bytes` },
      { type: 'image', mimeType, data },
    ],
    isError: false,
  }
}

function kindOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (start.startsWith('%PDF')) return 'PDF'
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return 'UTF-16 text'
  if (start.startsWith('PK')) return 'a zip archive'
  if (start.startsWith('\x1f\x8b')) return 'gzip'
  return start.startsWith('\x7fELF') ? 'a program' : 'it holds NUL bytes'
}

async function listing(workspace: Workspace, path: string, signal: AbortSignal): Promise<ToolResult> {
  const names = await workspace.artifacts.listDir(path, { signal })
  const shown = names.slice(0, limits.lines)
  const rest = names.length - shown.length
  const head = `${displayPath(workspace, path)} is a folder${names.length === 0 ? ', and empty' : ':'}`
  return textResult([head, ...shown, ...(rest > 0 ? [`[${rest} more left out]`] : [])].join('\n'))
}
