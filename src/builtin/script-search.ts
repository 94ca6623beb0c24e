import type { ArtifactStore } from '../artifact.ts'
import { isPipeError, PipeError, throwIfAborted } from '../error.ts'
import { walk } from '../files/walk.ts'
import type { FoundLine, SearchRequest } from './found-line.ts'

/** Of a longer file the beginning is searched. */
const maxFileBytes = 64 * 1024 * 1024

/**
 * Searches with JavaScript's own regular expressions, in the order of paths and lines. Files that hold NUL are left out. Throws
 * `invalid` for a pattern that is no regular expression.
 */
export async function* scriptSearch(
  artifacts: ArtifactStore,
  request: SearchRequest,
): AsyncGenerator<FoundLine> {
  const { root, glob, signal, context } = request
  const expression = compile(request)
  const paths: string[] = []
  for await (const path of walk(root, glob === undefined ? { signal } : { signal, pattern: glob })) {
    paths.push(path)
  }
  for (const path of paths.sort(byComponents)) {
    throwIfAborted(signal)
    const text = await readText(artifacts, path, signal)
    if (text !== undefined) yield* searchText(path, text, expression, context)
  }
}

function compile({ pattern, ignoreCase }: SearchRequest): RegExp {
  const inline = pattern.startsWith('(?i)')
  try {
    return new RegExp(inline ? pattern.slice(4) : pattern, ignoreCase || inline ? 'i' : '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PipeError('invalid', `the pattern is no regular expression: ${reason}`, { cause: error })
  }
}

/** Folder by folder, as ripgrep sorts: `a/z` before `a.ts`. */
function byComponents(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const differs = left.findIndex((name, i) => name !== right[i])
  return (left[differs] ?? '') < (right[differs] ?? '') ? -1 : 1
}

/** `undefined` for what is binary, or cannot be read: gone meanwhile, not permitted. */
async function readText(
  artifacts: ArtifactStore,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const bytes = await artifacts.readFile(path, { maxBytes: maxFileBytes, signal })
    return bytes.includes(0) ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (isPipeError(error) && error.code !== 'aborted') return undefined
    throw error
  }
}

function* searchText(path: string, text: string, expression: RegExp, context: number): Generator<FoundLine> {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const line = (i: number) => (lines[i] ?? '').replace(/\r$/, '')
  let shown = 0
  let open = 0
  for (let i = 0; i < lines.length; i++) {
    const isMatch = expression.test(line(i))
    if (isMatch) {
      for (let before = Math.max(shown, i - context); before < i; before++) {
        yield { path, number: before + 1, text: line(before), isMatch: false }
      }
      open = i + 1 + context
    }
    if (i >= open) continue
    yield { path, number: i + 1, text: line(i), isMatch }
    shown = i + 1
  }
}
