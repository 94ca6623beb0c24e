import type { Bordered } from '../prompt/borders.ts'
import { endOfLine } from './lines-at.ts'

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }
const opening: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Returns the text with each placeholder hidden by as many spaces: its brackets are none. */
function withoutPlaceholders({ text, pastes }: Bordered): string {
  return pastes.reduce(
    (left, { placeholder }) => left.replaceAll(placeholder, ' '.repeat(placeholder.length)),
    text,
  )
}

/** Returns the match of the first bracket of a line at or behind an index. */
export function matchingBracket(bordered: Bordered, from: number): number | undefined {
  const text = withoutPlaceholders(bordered)
  const end = endOfLine(text, from)
  for (let at = from; at < end; at++) {
    const bracket = text.charAt(at)
    if (opening[bracket] !== undefined) return openBefore(text, at - 1, opening[bracket], 1)
    const close = closing[bracket]
    if (close !== undefined && bracket !== '<') return closeAfter(text, at + 1, bracket)
  }
  return undefined
}

/** Returns the brackets around an index, or those that it is on; with a count, those further out. */
export function bracketsAround(
  bordered: Bordered,
  index: number,
  open: string,
  count: number,
): { readonly open: number; readonly close: number } | undefined {
  const text = withoutPlaceholders(bordered)
  const from = text[index] === open ? index : index - 1
  const at = openBefore(text, from, open, count)
  const close = at === undefined ? undefined : closeAfter(text, at + 1, open)
  return at === undefined || close === undefined ? undefined : { open: at, close }
}

/** Returns the index of the `count`th unclosed bracket at or before an index. */
function openBefore(text: string, from: number, open: string, count: number): number | undefined {
  const close = closing[open]
  let depth = count
  for (let at = from; at >= 0; at--) {
    if (text[at] === close) depth++
    else if (text[at] === open && --depth === 0) return at
  }
  return undefined
}

/** Returns the index of the bracket that closes one which stands before an index. */
function closeAfter(text: string, from: number, open: string): number | undefined {
  const close = closing[open]
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at
  }
  return undefined
}
