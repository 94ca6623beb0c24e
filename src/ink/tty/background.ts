import type { ThemeName } from '../rows/theme.ts'

/**
 * Asks the terminal for its background colour, then for its attributes: every terminal answers the second question, so that its answer
 * without one to the first says that there is none.
 */
export const backgroundQuery = '\u001b]11;?\u001b\\\u001b[c'

/** Whether a reply answers the second question. */
export function isLastReply(reply: string): boolean {
  return reply.startsWith('\u001b[?') && reply.endsWith('c')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: replies are control sequences
const colour = /^\u001b\]11;(?:rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)|#([\da-f]{6}))/i

/** Returns the theme for the background colour that a reply tells; `undefined` if it tells none. */
export function themeOf(reply: string): Extract<ThemeName, 'dark' | 'light'> | undefined {
  const [, red, green, blue, hex] = colour.exec(reply) ?? []
  const parts = hex === undefined ? [red, green, blue] : (hex.match(/../g) ?? [])
  const [r, g, b] = parts.map((part = '') => Number.parseInt(part, 16) / (16 ** part.length - 1))
  if (r === undefined || g === undefined || b === undefined || Number.isNaN(r + g + b)) return undefined
  // The brightness that people see (ITU-R BT.709).
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.5 ? 'dark' : 'light'
}
