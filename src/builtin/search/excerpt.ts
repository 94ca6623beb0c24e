import { cutStart, cutText } from '../../files/lines.ts'
import { limits } from '../limits.ts'

/** Characters before its match that are shown of a long line. */
const lead = 200

/**
 * A line as it is shown: whole, or the part around its match, with `…` where something is left out. Of a long line `before`, what
 * stands before the match, and `rest` need only be as long as what may be shown, and one more.
 */
export function excerpt(before: string, rest: string): string {
  if (before.length + rest.length <= limits.searchLine) return before + rest
  const shown = cutStart(before, lead)
  const text = cutText(shown + rest, limits.searchLine)
  const start = shown === before ? '' : '…'
  const end = text.length === shown.length + rest.length ? '' : '…'
  return `${start}${text}${end}`
}
