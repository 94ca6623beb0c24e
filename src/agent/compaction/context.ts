import {
  givenContent,
  instructionsIn,
  isMark,
  type Message,
  type ToolResultMessage,
  textContent,
} from '../../message.ts'
import { type Marked, markedThrough } from './history-mark.ts'

/**
 * Returns the messages that requests send: the last mark that replaces messages, then those after the replaced ones, with pruned
 * outputs as notes. Ignores a mark that names a missing message.
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

/** Returns the last mark of this kind and the index of the last message it covers. */
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

/** Characters up to which an output is not pruned. */
const shortOutput = 400

/** Replaces a long tool output with a note of its size. Returns other messages unchanged. */
export function pruneOutput(message: Message): Message {
  if (message.type !== 'tool_result') return message
  const added = instructionsIn(message)
  if (added !== undefined) {
    const bare = pruneOutput({ ...message, content: givenContent(message), metadata: {} })
    return { ...message, content: [...bare.content, added.block] }
  }
  const { length } = textContent(message)
  const media = message.content.some((block) => block.type !== 'text')
  if (length <= shortOutput && !media) return message
  return { ...message, content: [{ type: 'text', text: outputNote(message, length, media) }] }
}

function outputNote({ toolName }: ToolResultMessage, length: number, media: boolean): string {
  const what = media ? 'an image or document' : `${length} characters`
  return `[left out to make room: ${what} that ${toolName} gave; call it again if that is needed]`
}
