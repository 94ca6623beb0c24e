import { hasControllingTerminal, readTypedAhead } from '../../controlling-terminal.ts'

const [lineFeed, carriageReturn] = [10, 13]

/** One line of text with its Enter. Control characters edit, or belong to a paste. */
const oneLine = /^\P{Cc}*[^\p{Cc}\s]\P{Cc}*\n$/u

/**
 * Takes the line that the user typed, Enter included, before the screen opens. Leaves several lines, and keys that edit, to the prompt:
 * nobody has seen yet what they would send.
 */
export function takeTypedLine(): string | undefined {
  if (!hasControllingTerminal()) return undefined
  // A shell that was still editing its own line has left Enter as it was typed.
  const typed = readTypedAhead().map((byte) => (byte === carriageReturn ? lineFeed : byte))
  const text = typed.toString()
  if (oneLine.test(text)) return text.slice(0, -1)
  if (typed.length > 0) process.stdin.unshift(typed)
  return undefined
}
