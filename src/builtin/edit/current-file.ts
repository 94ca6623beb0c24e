import { sha256 } from '../../files/lazy-crypto.ts'
import { type DecodedText, decodeText } from '../file/encoding.ts'
import type { LocatedFile } from '../file/located-file.ts'
import { limits, limitTexts } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'

/** The current content of a file. */
export interface FileContent {
  readonly revision: string
  /** `undefined` if it is not text, or could not be written back unchanged. */
  readonly decoded: DecodedText | undefined
}

type CurrentFile =
  | { readonly type: 'changeable'; readonly content: FileContent }
  /** `details` mark a file whose current content the model has not seen. */
  | { readonly type: 'refused'; readonly why: string; readonly details?: { readonly unseen: string } }

/** Reads a file to change it, if the model has seen its current content. Throws what `readFile` throws. */
export async function readForChange(
  { artifacts, ledger }: Workspace,
  file: LocatedFile,
  signal: AbortSignal,
): Promise<CurrentFile> {
  const options = { maxBytes: limits.fileBytes + 1, followLinks: false, signal }
  const bytes = await artifacts.readFile(file.real, options)
  if (bytes.length > limits.fileBytes) {
    return { type: 'refused', why: `it is above ${limitTexts.fileBytes}; change it through bash` }
  }
  const revision = sha256(bytes)
  const why = ledger.objection(file, revision)
  if (why !== undefined) return { type: 'refused', why, details: { unseen: file.real } }
  return { type: 'changeable', content: { revision, decoded: decodeText(bytes) } }
}
