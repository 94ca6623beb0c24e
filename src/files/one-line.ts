/** Ends of lines, none of which a star in a compiled glob stands for, and what stands for them: no name of a file decodes to these. */
const standIns = new Map([
  ['\n', '\udc0a'],
  ['\r', '\udc0d'],
  ['\u2028', '\udc28'],
  ['\u2029', '\udc29'],
])
const ends = new Map([...standIns].map(([end, standIn]) => [standIn, end]))

/** A path or a pattern in which nothing ends a line. */
export function toOneLine(text: string): string {
  return text.replace(/[\n\r\u2028\u2029]/g, (end) => standIns.get(end) ?? end)
}

/** What `toOneLine` was given. */
export function fromOneLine(text: string): string {
  return text.replace(/[\udc0a\udc0d\udc28\udc29]/g, (standIn) => ends.get(standIn) ?? standIn)
}
