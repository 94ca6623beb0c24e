import type { TerminalName } from '../../terminal/terminal-name.ts'
import type { ThemeName } from '../rows/theme.ts'

const askColour = '\u001b]11;?\u001b\\'
const askVersion = '\u001b[>0q'
const askAttributes = '\u001b[c'

/**
 * Returns what asks the terminal for its background colour, and one that calls itself xterm whether it is, which the environment does not
 * tell over ssh. A question for the attributes follows, which every terminal answers: so silence is known. GNU screen answers that one
 * itself, before the terminal behind it answers the first. dvtm and Emacs answer none. Empty: there is nothing to ask.
 */
export function terminalQuery(name: TerminalName | undefined, asksColour: boolean): string {
  if (name === 'dvtm' || name === 'emacs') return ''
  const colour = asksColour ? askColour : ''
  if (name === 'screen') return colour
  const query = (name === 'xterm_like' ? askVersion : '') + colour
  return query === '' ? '' : query + askAttributes
}

/** Whether a reply tells that the terminal is xterm. */
export function isXterm(reply: string): boolean {
  return reply.startsWith('\u001bP>|XTerm(')
}

/** Whether no answer is due after this one. */
export function isLastReply(reply: string, name: TerminalName | undefined): boolean {
  if (name === 'screen') return reply.startsWith('\u001b]11;')
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
