import type { Actor, Capability } from '../../actor.ts'
import { hasCode, isPipeError } from '../../error.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { LineCollector } from '../../files/reading/text-lines.ts'
import type { FileRange, LineRange } from '../../machine/artifact.ts'
import { mediaType } from '../../media/media-type.ts'
import { errorResult, type ToolResult, textResult } from '../../tool.ts'
import { byteOrderMark, decodeDamaged, decodeText, isBinary, isGuessed } from '../file/encoding.ts'
import { type LocatedFile, locate } from '../file/located-file.ts'
import { missingFile } from '../file/near-names.ts'
import { readableNames } from '../file/readable-names.ts'
import { fileDetails } from '../file/seen-files.ts'
import { twinsBeside, withEscapes } from '../file/twin.ts'
import { defineRunner, withNote } from '../runner.ts'
import { limits, limitTexts } from '../tool-limits.ts'
import { quotedName, type Workspace } from '../workspace.ts'
import { binaryKind } from './binary-kind.ts'
import { mediaResult } from './media-result.ts'
import { fittingRows, numberedPage } from './numbered-page.ts'

export const read = defineRunner({
  name: 'read',
  takesPlain: true,
  schema: (schemas) => schemas.read(),
  async run(args, workspace, context) {
    const { signal } = context
    const file = await locate(workspace, args.path, context)
    const { capabilities } = context.actor
    const reading = { ...workspace, capabilities }
    try {
      return await readFileOrFolder(reading, file, args, signal)
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error
      const twin = await onlyTwin(workspace, file, signal)
      if (twin === undefined) return errorResult(await missingFile(workspace, file.path, signal))
      const result = await readFileOrFolder(reading, twin, args, signal)
      return withNote(result, `this is ${withEscapes(twin.shown)}: the same letters in other code points`)
    }
  },
})

/** The only similar name, unless it is a link: its target was not judged. */
async function onlyTwin(
  workspace: Workspace,
  file: LocatedFile,
  signal: AbortSignal,
): Promise<LocatedFile | undefined> {
  const [twin, ...others] = await twinsBeside(workspace, file, signal)
  if (twin === undefined || others.length > 0) return undefined
  return (await workspace.artifacts.realPath(twin.real, { signal })) === twin.real ? twin : undefined
}

interface Wanted {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** The workspace, and what the actor who reads may do. */
type Reading = Workspace & Pick<Actor, 'capabilities'>

/** Reads a file, or lists a folder. */
async function readFileOrFolder(
  workspace: Reading,
  file: LocatedFile,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await readFile(workspace, file, wanted, signal)
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'EISDIR') throw error
    return refusalOf(file.shown, 'tool_read_file', workspace) ?? listing(workspace, file, wanted, signal)
  }
}

/** Returns the result for an actor without this capability; `undefined` for others. */
function refusalOf(shown: string, needed: Capability, { capabilities }: Reading): ToolResult | undefined {
  if (capabilities.includes(needed)) return undefined
  return errorResult(`you may not read ${shown}: you do not have the capability ${needed}`)
}

async function readFile(
  workspace: Reading,
  file: LocatedFile,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { artifacts, ledger } = workspace
  const { real, shown } = file
  const options = { followLinks: false, signal }
  const bytes = await artifacts.readFile(real, { maxBytes: limits.fileBytes + 1, ...options })
  const mimeType = mediaType(bytes)
  const refusal = refusalOf(shown, mimeType === undefined ? 'tool_read_file' : 'read_assets', workspace)
  if (refusal !== undefined) return refusal
  if (bytes.length > limits.fileBytes) {
    if (mimeType !== undefined) return mediaResult({ shown, mimeType, bytes })
    if (isBinary(bytes)) return refuseBinary(shown, bytes, `above ${limitTexts.fileBytes}`)
    return pageResult(shown, wanted, await artifacts.readFileRange(real, rangeOf(wanted), options), [])
  }
  const result =
    mimeType === undefined ? readText(shown, wanted, bytes) : mediaResult({ shown, mimeType, bytes })
  if (result.isError) return result
  const revision = sha256(bytes)
  ledger.record(file, revision)
  return { ...result, details: { ...fileDetails(workspace, file), revision } }
}

function readText(shown: string, wanted: Wanted, bytes: Uint8Array): ToolResult {
  const decoded = decodeText(bytes)
  const text = decoded?.text ?? decodeDamaged(bytes)
  if (text === undefined) return refuseBinary(shown, bytes, `${bytes.length} bytes`)
  const encoding =
    decoded?.encoding ?? 'damaged UTF-8: unreadable bytes are shown as \ufffd, and edit refuses the file'
  const collector = new LineCollector(rangeOf(wanted))
  collector.push(decoded?.encoding === 'UTF-8' ? bytes : Buffer.from(text))
  const isDoubtful = decoded !== undefined && isGuessed(decoded.encoding)
  const note = `file is ${encoding}${isDoubtful ? ', a guess by its bytes; edits keep this encoding' : ''}`
  return pageResult(shown, wanted, collector.finish(), encoding === 'UTF-8' ? [] : [note])
}

function rangeOf({ offset = 1, limit = limits.lines }: Wanted): LineRange {
  // Longer than the longest line shown whole, so that a cut is detected.
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

/** Removes the byte order mark: the model cannot see it but would copy it. */
function unmarked(range: FileRange): FileRange {
  const [first = '', ...rest] = range.lines
  return first.startsWith(byteOrderMark) ? { ...range, lines: [first.slice(1), ...rest] } : range
}

function refuseBinary(shown: string, bytes: Uint8Array, size: string): ToolResult {
  const { name, look } = binaryKind(bytes)
  return errorResult(`${shown} is binary (${name}, ${size}): look at it through bash (${look})`)
}

async function listing(
  workspace: Workspace,
  file: LocatedFile,
  { offset = 1, limit = limits.lines }: Wanted,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { real, shown } = file
  const all = await workspace.artifacts.listDir(real, { followLinks: false, signal })
  const names = readableNames(workspace, file, all)
  if (all.length === 0) return textResult(`${shown} is an empty folder`)
  if (offset > 1 && offset > names.length) {
    return errorResult(`offset ${offset} is beyond the end of ${shown}, which has ${names.length} entries`)
  }
  const rows = fittingRows(names.slice(offset - 1, offset - 1 + limit).map(quotedName))
  const next = offset + rows.length
  const below =
    next <= names.length
      ? [`[entries ${offset}-${next - 1} of ${names.length}; use offset=${next} to continue]`]
      : []
  return textResult([`${shown} is a folder:`, ...rows, ...below].join('\n'))
}
