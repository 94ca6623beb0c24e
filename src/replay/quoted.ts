import { oneLine } from '../characters/one-line.ts'

/** Characters of a text that are shown. */
const width = 120

/** Quotes the beginning of a text, in one line. */
export function quotedStart(text: string): string {
  return JSON.stringify(oneLine(text, width))
}
