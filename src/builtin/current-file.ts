import { limits } from './limits.ts'
import { revisionOf } from './text-file.ts'
import type { Workspace } from './workspace.ts'

type CurrentFile =
  | { readonly type: 'changeable'; readonly bytes: Uint8Array }
  | { readonly type: 'refused'; readonly why: string }

/** A file as it is now, and whether the model has seen this very revision. Throws what `readFile` throws. */
export async function readForChange(
  { artifacts, ledger }: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<CurrentFile> {
  const bytes = await artifacts.readFile(path, { maxBytes: limits.fileBytes + 1, signal })
  if (bytes.length > limits.fileBytes) {
    return { type: 'refused', why: 'it is above 20 MB; change it through bash' }
  }
  const why = ledger.objection(path, revisionOf(bytes))
  return why === undefined ? { type: 'changeable', bytes } : { type: 'refused', why }
}
