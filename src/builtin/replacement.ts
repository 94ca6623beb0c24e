export type Replacement =
  | { readonly type: 'replaced'; readonly text: string; readonly count: number }
  /** `nearLine` (from 1) is where the first line of the old text stands but for white space. */
  | { readonly type: 'missing'; readonly nearLine: number | undefined }
  | { readonly type: 'ambiguous'; readonly lines: readonly number[] }

export interface ReplacementRequest {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

/**
 * Replaces an exact text. CRLF and LF match each other; what is put in gets the line ends most lines of the text have, and what
 * both texts share at their ends stays byte for byte.
 */
export function replaceText(text: string, request: ReplacementRequest): Replacement {
  const flat = toLf(text)
  const oldText = toLf(request.oldText)
  const starts = occurrences(flat, oldText)
  if (starts.length === 0) return { type: 'missing', nearLine: nearLine(flat, oldText) }
  if (starts.length > 1 && !request.replaceAll) {
    return { type: 'ambiguous', lines: starts.map((start) => lineAt(flat, start)) }
  }
  const { before, after, inserted } = difference(oldText, toLf(request.newText))
  const insert = usesCrlf(text) ? inserted.replaceAll('\n', '\r\n') : inserted
  const original = originalOffsets(flat, text.length !== flat.length ? text : undefined)
  const parts: string[] = []
  let from = 0
  for (const start of starts) {
    parts.push(text.slice(from, original(start + before)), insert)
    from = original(start + oldText.length - after)
  }
  return { type: 'replaced', text: parts.join('') + text.slice(from), count: starts.length }
}

const toLf = (text: string): string => text.replaceAll('\r\n', '\n')

function occurrences(text: string, part: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at)
  return found
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function nearLine(text: string, oldText: string): number | undefined {
  const wanted = oldText.trim().split('\n', 1)[0]?.trim()
  if (wanted === undefined || wanted === '') return undefined
  const index = text.split('\n').findIndex((line) => line.trim() === wanted)
  return index === -1 ? undefined : index + 1
}

/** How many characters two texts share at their beginning and end, and what stands between in the second. */
function difference(a: string, b: string) {
  const shorter = Math.min(a.length, b.length)
  let before = 0
  while (before < shorter && a[before] === b[before]) before++
  let after = 0
  while (after < shorter - before && a.at(-1 - after) === b.at(-1 - after)) after++
  return { before, after, inserted: b.slice(before, b.length - after) }
}

function usesCrlf(text: string): boolean {
  const all = text.split('\n').length - 1
  return text.split('\r\n').length - 1 > all / 2
}

/** Maps ascending offsets in the LF form of a text to offsets in the text itself; the identity where there is no CRLF. */
function originalOffsets(flat: string, text: string | undefined): (offset: number) => number {
  let [at, inText] = [0, 0]
  return (offset) => {
    if (text === undefined) return offset
    for (; at < offset; at++) inText += flat[at] === '\n' && text[inText] === '\r' ? 2 : 1
    return inText
  }
}
