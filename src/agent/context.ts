import { type Message, type ToolResultMessage, textContent } from '../message.ts'
import { isMark, type Marked, markedThrough } from './mark.ts'

/**
 * What requests carry of a history: the last mark that stands for messages, then the messages that it does not stand for, unchanged
 * but for pruned outputs. A mark that names a message which is not there does not count.
 */
export function contextOf(history: readonly Message[]): readonly Message[] {
  const summary = lastMark(history, 'compacted_through')
  const pruned = lastMark(history, 'pruned_through')?.through ?? -1
  const start = (summary?.through ?? -1) + 1
  const after = history
    .slice(start)
    .map((message, i) => (start + i <= pruned ? pruneOutput(message) : message))
    .filter((message) => !isMark(message))
  return summary === undefined ? after : [summary.mark, ...after]
}

/** The last mark of this kind, and the index of the message through which it holds. */
function lastMark(
  history: readonly Message[],
  key: keyof Marked,
): { readonly mark: Message; readonly through: number } | undefined {
  for (let at = history.length - 1; at >= 0; at--) {
    const mark = history[at]
    const id = mark && markedThrough(mark, key)
    if (mark === undefined || id === undefined) continue
    const through = history.findLastIndex((message, i) => i < at && message.id === id)
    if (through >= 0) return { mark, through }
  }
  return undefined
}

/** Outputs of fewer characters are not worth a note. */
const shortOutput = 400

/** A tool result with a note of its size in place of a long output; any other message as it is. */
export function pruneOutput(message: Message): Message {
  if (message.type !== 'tool_result') return message
  const { length } = textContent(message)
  const media = message.content.some((block) => block.type !== 'text')
  if (length <= shortOutput && !media) return message
  return { ...message, content: [{ type: 'text', text: outputNote(message, length, media) }] }
}

function outputNote({ toolName }: ToolResultMessage, length: number, media: boolean): string {
  const what = media ? 'an image or document' : `${length} characters`
  return `[left out to make room: ${what} that ${toolName} gave; call it again if that is needed]`
}
