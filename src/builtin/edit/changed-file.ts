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
  /** `details` are for users and audits: the path, its revisions, and the diff of text if not too large. */
  | { readonly type: 'changed'; readonly bytes: number; readonly details: JsonObject }
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
  const revision = sha256(bytes)
  ledger.record(file, revision)
  const details = {
    ...fileDetails(workspace, file),
    ...omitUndefined({ before: before?.revision, diff: diff(file, before, after) }),
    after: revision,
  }
  return { type: 'changed', bytes: bytes.length, details }
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
