import { oneLine } from '../../characters/one-line.ts'
import type { AssistantMessage } from '../../message.ts'
import { visible } from '../../terminal/visible.ts'
import { cut, type Line, span } from '../rows/line.ts'

/** Characters of a reason that are kept. */
const longest = 300

/** Returns what the model said last before each of the calls of a reply, by their ids. Shown, it hides nothing. */
export function statedReasons({ content }: AssistantMessage): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  let said = ''
  for (const block of content) {
    if (block.type === 'text' && block.text.trim() !== '') said = lastParagraph(block.text)
    if (block.type === 'tool_call' && said !== '') reasons.set(block.id, said)
  }
  return reasons
}

function lastParagraph(text: string): string {
  return oneLine(
    visible(
      text
        .trim()
        .split(/\n\s*\n/)
        .at(-1) ?? '',
    ),
    longest,
  )
}

/** Draws the model's words in one row, marked as such: they are no part of what is asked. */
export function drawReason(reason: string, columns: number): Line {
  return cut(
    [span('   the model says: ', { color: 'faint' }), span(`“${reason}”`, { color: 'muted' })],
    columns,
  )
}
