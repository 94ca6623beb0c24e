import { isPipeError } from '../../error.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import type { JsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type DecodedText, encodeText, misfit } from '../file/encoding.ts'
import type { LocatedFile } from '../file/located-file.ts'
import { fileDetails } from '../file/seen-files.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import type { FileContent } from './current-file.ts'
import { unifiedDiff } from './line-diff.ts'

interface FileChange {
  readonly file: LocatedFile
  readonly before: FileContent | undefined
  readonly after: DecodedText
}

type ChangedFile =
  /** `details` are for users and audits: the path, its revisions, and the diff of text if not too large. `notes` are for the model. */
  | {
      readonly type: 'changed'
      readonly bytes: number
      readonly details: JsonObject
      readonly notes: readonly string[]
    }
  | { readonly type: 'refused'; readonly why: string }

/** Writes the new content and records it as seen by the model. Refuses text that the encoding lacks, and read-only files. */
export async function writeChange(
  workspace: Workspace,
  { file, before, after }: FileChange,
  signal: AbortSignal,
): Promise<ChangedFile> {
  const { artifacts, ledger } = workspace
  const foreign = misfit(after)
  if (foreign !== undefined) return { type: 'refused', why: misfitAdvice(foreign, after.encoding) }
  const bytes = encodeText(after)
  try {
    await artifacts.writeFile(file.real, bytes, { signal })
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'read_only') throw error
    return {
      type: 'refused',
      why: 'it is read-only; to change it, run chmod u+w through bash first',
    }
  }
  ledger.record(file, sha256(bytes))
  const { text, notes } = await formatted(workspace, { file, after }, signal)
  const written = encodeText(text)
  const revision = sha256(written)
  ledger.record(file, revision)
  const details = {
    ...fileDetails(workspace, file),
    ...omitUndefined({ before: before?.revision, diff: diff(file, before, text) }),
    after: revision,
  }
  return { type: 'changed', bytes: written.length, details, notes }
}

/** Lines of what a formatter changed that the model is shown. */
const mostLines = 40

/** Formats the file that was written, and writes it again if that changed it. A formatter that fails changes nothing. */
async function formatted(
  { artifacts, format }: Workspace,
  { file, after }: Pick<FileChange, 'file' | 'after'>,
  signal: AbortSignal,
): Promise<{ readonly text: DecodedText; readonly notes: readonly string[] }> {
  const result = await format?.(file.real, after.text, signal)
  if (result === undefined) return { text: after, notes: [] }
  if (result.type === 'failed')
    return { text: after, notes: [`${result.by} did not format it: ${result.why}`] }
  const text = { ...after, text: result.text }
  if (result.text === after.text || misfit(text) !== undefined) return { text: after, notes: [] }
  await artifacts.writeFile(file.real, encodeText(text), { signal })
  const lines = unifiedDiff(file.shown, after.text, result.text).trimEnd().split('\n')
  const more = lines.length - mostLines
  const shown = [...lines.slice(0, mostLines), ...(more > 0 ? [`(${more} more lines)`] : [])]
  return { text, notes: [`${result.by} then formatted it:\n${shown.join('\n')}`] }
}

function misfitAdvice(character: string, encoding: DecodedText['encoding']): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  if (encoding.startsWith('UTF')) return `the new text holds half a character (${code})`
  return `${character} (${code}) does not exist in ${encoding}, its encoding; do without, or convert the file through bash (iconv) first`
}

function diff(
  { shown }: LocatedFile,
  before: FileContent | undefined,
  after: DecodedText,
): string | undefined {
  if (before !== undefined && before.decoded === undefined) return undefined
  const text = unifiedDiff(shown, before?.decoded?.text, after.text)
  return Buffer.byteLength(text) > limits.diffBytes ? undefined : text
}
