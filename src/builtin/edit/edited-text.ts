import { unreachable } from '../../error.ts'
import { limitTexts } from '../tool-limits.ts'
import { isCr, type TextChange } from './line-ends.ts'
import { nearMiss } from './near-miss.ts'
import type { Pause } from './pause.ts'
import { findReplacement, maxPlaces, type ReplacementRequest, type TextReplacement } from './replacement.ts'

type EditedText =
  /** `notes` tell the model about each old text that was not found literally. */
  | {
      readonly type: 'edited'
      readonly text: string
      readonly places: number
      readonly notes: readonly string[]
    }
  | { readonly type: 'refused'; readonly why: string }

/**
 * Applies edits one after the other: all or none. No edit may change what another has inserted. Throws what `pause` throws.
 */
export async function applyAllEdits(
  original: string,
  requests: readonly ReplacementRequest[],
  pause: Pause,
): Promise<EditedText> {
  if (!isCr(original)) return editLines(original, requests, pause)
  // Both are one character, so offsets stay valid.
  const edited = await editLines(original.replaceAll('\r', '\n'), requests.map(withLf), pause)
  return edited.type === 'refused' ? edited : { ...edited, text: edited.text.replaceAll('\n', '\r') }
}

function withLf({ oldText, newText, replaceAll }: ReplacementRequest): ReplacementRequest {
  const lf = (text: string) => text.replace(/\r\n?/g, '\n')
  return { oldText: lf(oldText), newText: lf(newText), replaceAll }
}

async function editLines(
  original: string,
  requests: readonly ReplacementRequest[],
  pause: Pause,
): Promise<EditedText> {
  let text = original
  let touched: readonly Range[] = []
  let places = 0
  const notes: string[] = []
  for (const [i, request] of requests.entries()) {
    await pause()
    const label = requests.length === 1 ? '' : `edit ${i + 1} of ${requests.length}: `
    if (request.oldText === '') return { type: 'refused', why: label + emptyOldText }
    const found = findReplacement(text, request)
    if (found.type !== 'found') return { type: 'refused', why: label + advice(found, text, request.oldText) }
    const { changes, note } = found
    const after = touchedAfter(touched, changes)
    if (after === undefined) {
      return { type: 'refused', why: `${label}it overlaps with an edit before it; make one edit of the two` }
    }
    touched = after
    text = applied(text, changes)
    places += changes.length
    if (note !== undefined) notes.push(`${label}old_text was found with ${note}`)
  }
  return text === original
    ? { type: 'refused', why: 'it would be the same as before' }
    : { type: 'edited', text, places, notes: firstOf(notes) }
}

const emptyOldText = 'old_text may be empty only to fill an empty file, by one edit'

const maxNotes = 5

function firstOf(notes: readonly string[]): readonly string[] {
  const more = notes.length - maxNotes
  if (more <= 0) return notes
  return [...notes.slice(0, maxNotes), `and ${more} more were not found literally either`]
}

function applied(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = []
  let from = 0
  for (const change of changes) {
    parts.push(text.slice(from, change.start), change.text)
    from = change.end
  }
  return parts.join('') + text.slice(from)
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Moves the inserted ranges past these changes and adds theirs. `undefined` if they overlap an inserted range. */
function touchedAfter(touched: readonly Range[], changes: readonly TextChange[]): Range[] | undefined {
  const after: Range[] = []
  const left = [...touched].reverse()
  let shift = 0
  const keep = (range: Range) => after.push({ start: range.start + shift, end: range.end + shift })
  for (const { start, end, text } of changes) {
    for (let next = left.at(-1); next !== undefined && next.end <= start; next = left.at(-1)) {
      keep(next)
      left.pop()
    }
    if ((left.at(-1)?.start ?? end) < end) return undefined
    after.push({ start: start + shift, end: start + shift + text.length })
    shift += text.length - (end - start)
  }
  left.reverse().forEach(keep)
  return after
}

/** Names a line with several matches once. */
function lineList(lines: readonly number[]): string {
  const distinct = [...new Set(lines)]
  return distinct.length === 1 ? `all on line ${distinct.join()}` : `on lines ${distinct.join(', ')}`
}

function advice(failure: Exclude<TextReplacement, { type: 'found' }>, text: string, oldText: string): string {
  switch (failure.type) {
    case 'missing':
      return `old_text is not in it${nearMiss(text, oldText)}. Read the file again and copy the text exactly`
    case 'ambiguous': {
      const { lines, more, note } = failure
      const times = more ? `more than ${lines.length}` : lines.length
      const how = note === undefined ? '' : ` (${note})`
      return `old_text matches ${times} times${how}, ${lineList(lines)}; add lines around it to match once, or set replace_all`
    }
    case 'too_many':
      return `old_text is in it more than ${maxPlaces.toLocaleString('en')} times; change it through bash`
    case 'too_long':
      return `it would be above ${limitTexts.fileBytes}; change it through bash`
    default:
      return unreachable(failure)
  }
}
