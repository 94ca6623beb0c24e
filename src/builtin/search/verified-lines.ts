import { isPipeError, throwIfAborted } from '../../error.ts'
import { FileLines } from './file-lines.ts'
import type { FoundFile, FoundLine, StaleFile } from './found-line.ts'
import { excerptOf } from './line-excerpt.ts'
import type { Hit, Hits } from './ripgrep-run.ts'

/** `undefined` follows the findings of a file that turned out to be binary. */
type Verified = AsyncGenerator<readonly (Hit | StaleFile | undefined)[]>

/**
 * Reads each line that ripgrep printed again: a link in place of a folder could have led it to files that were not judged. From the
 * first line of a file that differs, reports only that the file changed.
 */
export async function* verifiedHits(batches: AsyncGenerator<Hits>, signal: AbortSignal): Verified {
  let file: FileLines | undefined
  let hasChanged = false
  try {
    for await (const hits of batches) {
      const verified: (Hit | StaleFile | undefined)[] = []
      for (const hit of hits) {
        if (hit === undefined) verified.push(undefined)
        else {
          if (file?.path !== hit.path) {
            await file?.close()
            file = new FileLines(hit.path, signal)
            hasChanged = false
          }
          if (hasChanged) continue
          const found = readAgain(hit, file, signal)
          hasChanged = !isSame(hit, found instanceof Promise ? await found : found)
          verified.push(hasChanged ? { type: 'changed', path: hit.path } : hit)
        }
      }
      yield verified
    }
  } finally {
    await file?.close()
  }
}

/** Returns a promise only if the line must still be read. */
function readAgain(hit: Hit, file: FileLines, signal: AbortSignal) {
  const found = file.part(hit)
  return found instanceof Promise ? found.catch((error: unknown) => unlessGone(error, signal)) : found
}

function unlessGone(error: unknown, signal: AbortSignal): undefined {
  throwIfAborted(signal)
  if (!isPipeError(error)) throw error
}

function isSame(hit: Hit, found: Buffer | undefined): boolean {
  return found !== undefined && withoutReturn(found).equals(withoutReturn(hit.bytes))
}

/** Allows for the `\r\n` that ripgrep adds to an unterminated last line. */
function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
}

/** Yields the lines as shown. */
export async function* shownLines(batches: Verified): AsyncGenerator<FoundLine | StaleFile | undefined> {
  for await (const hits of batches) {
    for (const hit of hits) yield hit?.type === 'hit' ? foundLine(hit) : hit
  }
}

function foundLine(hit: Hit): FoundLine {
  const { path, number, isMatch, bytes } = hit
  return { type: 'line', path, number, text: excerptOf(hit, bytes), isMatch }
}

/** Counts the matching lines of each file. Skips changed and binary files. */
export async function* countLines(batches: Verified): AsyncGenerator<FoundFile | StaleFile> {
  let file: StaleFile | { readonly type: 'file'; readonly path: string; matches: number } | undefined
  for await (const hits of batches) {
    for (const hit of hits) {
      if (hit === undefined) file = undefined
      else {
        if (file !== undefined && file.path !== hit.path) yield file
        if (hit.type === 'changed') file = hit
        else if (file?.type === 'file' && file.path === hit.path) file.matches++
        else file = { type: 'file', path: hit.path, matches: 1 }
      }
    }
  }
  if (file !== undefined) yield file
}
