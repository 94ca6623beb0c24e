import type { FileRange, LineRange } from '../../artifact.ts'
import { isPipeError } from '../../error.ts'
import { LineCollector } from '../../files/lines.ts'
import { mediaType } from '../../media.ts'
import { resolvePath } from '../../path.ts'
import { errorResult, type ToolContext, type ToolResult, textResult } from '../../tool.ts'
import { byteOrderMark, decodeDamaged, decodeText, isBinary } from '../file/encoding.ts'
import { missingFile } from '../file/near-names.ts'
import { locate } from '../file/place.ts'
import { readableNames } from '../file/readable-names.ts'
import { revisionOf } from '../file/revision.ts'
import { limits } from '../limits.ts'
import { defineRunner } from '../runner.ts'
import { quoted, type Workspace } from '../workspace.ts'
import { binaryKind } from './binary-kind.ts'
import { mediaResult } from './media-result.ts'
import { fittingRows, numberedPage } from './numbered-page.ts'

export const read = defineRunner({
  name: 'read',
  schema: (schemas) => schemas.read(),
  async run(args, workspace, context) {
    const { signal } = context
    const path = resolvePath(args.path, workspace)
    try {
      return await readFile(workspace, args, context)
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (error.code === 'not_found') return errorResult(await missingFile(workspace, path, signal))
      if (error.details['reason'] === 'EISDIR') return listing(workspace, args, context)
      throw error
    }
  },
})

interface Wanted {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

async function readFile(workspace: Workspace, wanted: Wanted, context: ToolContext): Promise<ToolResult> {
  const { artifacts, ledger } = workspace
  const place = await locate(workspace, wanted.path, context)
  const { real, shown } = place
  const options = { followLinks: false, signal: context.signal }
  const bytes = await artifacts.readFile(real, { maxBytes: limits.fileBytes + 1, ...options })
  const mimeType = mediaType(bytes)
  if (bytes.length > limits.fileBytes) {
    if (mimeType !== undefined) return mediaResult({ shown, mimeType, bytes })
    if (isBinary(bytes)) return refuseBinary(shown, bytes, 'above 20 MB')
    return pageResult(shown, wanted, await artifacts.readFileRange(real, rangeOf(wanted), options), [])
  }
  const result =
    mimeType === undefined ? readText(shown, wanted, bytes) : mediaResult({ shown, mimeType, bytes })
  if (!result.isError) ledger.record(place, revisionOf(bytes))
  return result
}

function readText(shown: string, wanted: Wanted, bytes: Uint8Array): ToolResult {
  const decoded = decodeText(bytes)
  const text = decoded?.text ?? decodeDamaged(bytes)
  if (text === undefined) return refuseBinary(shown, bytes, `${bytes.length} bytes`)
  const encoding =
    decoded?.encoding ?? 'damaged UTF-8: what cannot be read is shown as \ufffd, and edit refuses it'
  const collector = new LineCollector(rangeOf(wanted))
  collector.push(decoded?.encoding === 'UTF-8' ? bytes : Buffer.from(text))
  return pageResult(shown, wanted, collector.finish(), encoding === 'UTF-8' ? [] : [`file is ${encoding}`])
}

function rangeOf({ offset = 1, limit = limits.lines }: Wanted): LineRange {
  // Longer than a line that is shown whole, so that a cut is seen.
  return { start: offset, end: offset + Math.min(limit, limits.lines) - 1, maxLineLength: limits.line + 2 }
}

function pageResult(
  shown: string,
  { offset = 1 }: Wanted,
  range: FileRange,
  notes: readonly string[],
): ToolResult {
  const { total } = range
  if (total === 0) return textResult(`(${shown} is empty)`)
  if (range.lines.length === 0) {
    return errorResult(`offset ${offset} is beyond the end of ${shown}, which has ${total ?? 'fewer'} lines`)
  }
  return textResult(numberedPage(offset === 1 ? unmarked(range) : range, offset, notes))
}

/** Without the byte order mark: the model would copy what it cannot see. */
function unmarked(range: FileRange): FileRange {
  const [first = '', ...rest] = range.lines
  return first.startsWith(byteOrderMark) ? { ...range, lines: [first.slice(1), ...rest] } : range
}

function refuseBinary(shown: string, bytes: Uint8Array, size: string): ToolResult {
  const { name, look } = binaryKind(bytes)
  return errorResult(`${shown} is binary (${name}, ${size}): look at it through bash (${look})`)
}

async function listing(workspace: Workspace, wanted: Wanted, context: ToolContext): Promise<ToolResult> {
  const place = await locate(workspace, wanted.path, context)
  const { real, shown } = place
  const all = await workspace.artifacts.listDir(real, { followLinks: false, signal: context.signal })
  const names = readableNames(workspace, place, all)
  const rows = fittingRows(names.map(quoted))
  const rest = names.length - rows.length
  const head = `${shown} is a folder${all.length === 0 ? ', and empty' : ':'}`
  return textResult([head, ...rows, ...(rest > 0 ? [`[${rest} more left out; use glob]`] : [])].join('\n'))
}
