/** Line breaks, which the stars of a compiled glob do not match, and their substitutes: no file name decodes to these. */
const substitutes = new Map([
  ['\n', '\udc0a'],
  ['\r', '\udc0d'],
  ['\u2028', '\udc28'],
  ['\u2029', '\udc29'],
])
const ends = new Map([...substitutes].map(([end, substitute]) => [substitute, end]))

/** Replaces the line breaks in a path or pattern. */
export function toOneLine(text: string): string {
  return text.replace(/[\n\r\u2028\u2029]/g, (end) => substitutes.get(end) ?? end)
}

/** Reverts `toOneLine`. */
export function fromOneLine(text: string): string {
  return text.replace(/[\udc0a\udc0d\udc28\udc29]/g, (substitute) => ends.get(substitute) ?? substitute)
}
