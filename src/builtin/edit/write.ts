import { basename } from 'node:path'
import { isPipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import { errorResult, type ToolResult, textResult } from '../../tool.ts'
import { byteOrderMark, type DecodedText } from '../file/encoding.ts'
import { type LocatedFile, locate } from '../file/located-file.ts'
import { twinAdvice, twinsBeside } from '../file/twin.ts'
import { defineRunner } from '../runner.ts'
import { quotedName, type Workspace } from '../workspace.ts'
import { writeChange } from './changed-file.ts'
import { type FileContent, readForChange } from './current-file.ts'
import { isCrlf } from './line-ends.ts'

export const write = defineRunner({
  name: 'write',
  takesPlain: true,
  schema: (schemas) => schemas.write(),
  async run(args, workspace, context) {
    if (args.path.trim() === '') return errorResult('nothing was written: the path is only white space')
    if (/(^|\/)\.{0,2}$/.test(args.path)) {
      return errorResult(`${quotedName(args.path)} was not written: ${isFolder}`)
    }
    const file = await locate(workspace, args.path, context)
    return workspace.ledger.exclusively(file, () => overwrite(workspace, file, args.content, context.signal))
  },
})

const isFolder = 'it is a folder; name a file in it'

/** Creates a file, or overwrites one whose current content the model has seen. */
export async function overwrite(
  workspace: Workspace,
  file: LocatedFile,
  content: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const shown = quotedName(file.shown)
  const refuse = (why: string, details?: JsonObject) =>
    errorResult(`${shown} was not written: ${why}`, details)
  const current = await readIfThere(workspace, file, signal)
  if (current?.type === 'refused') return refuse(current.why, current.details)
  const before = current?.content
  const keepsCrlf = !content.includes('\r') && isCrlf(before?.decoded?.text ?? '')
  const after = inEncodingOf(before, keepsCrlf ? content.replaceAll('\n', '\r\n') : content)
  const change = await writeChange(workspace, { file, before, after }, signal)
  if (change.type === 'refused') return refuse(change.why)
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
  const kept = [...(after.encoding === 'UTF-8' ? [] : [after.encoding]), ...(keepsCrlf ? ['CRLF'] : [])]
  const asBefore = kept.length === 0 ? '' : `, ${kept.join(' and ')} as before`
  const said = `${before === undefined ? 'created' : 'overwrote'} ${shown} (${lines} lines, ${change.bytes} bytes${asBefore})`
  return textResult([said, ...change.notes].join('\n'), change.details)
}

/** Keeps what the model cannot express: the encoding and the byte order mark. */
function inEncodingOf(before: FileContent | undefined, content: string): DecodedText {
  const { encoding, text } = before?.decoded ?? { encoding: 'UTF-8', text: '' }
  const isMarked = text.startsWith(byteOrderMark) && !content.startsWith(byteOrderMark)
  return { encoding, text: isMarked ? byteOrderMark + content : content }
}

async function readIfThere(workspace: Workspace, file: LocatedFile, signal: AbortSignal) {
  try {
    return await readForChange(workspace, file, signal)
  } catch (error) {
    if (!isPipeError(error)) throw error
    if (error.details['reason'] === 'EISDIR') return refused(isFolder)
    if (error.code !== 'not_found') throw error
    const twins = await twinsBeside(workspace, file, signal)
    return twins.length === 0 ? undefined : refused(twinAdvice(twins.map((twin) => basename(twin.path))))
  }
}

const refused = (why: string) => ({ type: 'refused', why, details: undefined }) as const
