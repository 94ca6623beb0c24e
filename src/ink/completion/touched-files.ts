import { mentions } from '../../frontend/mentions.ts'
import { type Message, spokenText, toolCalls } from '../../message.ts'
import type { FindLook } from '../../tool.ts'

/** Messages that are looked at, from the last one back. */
const mostMessages = 200
/** Files that are returned. */
const mostFiles = 50

/** Returns the files that the user mentioned and that tools were called with, the last one first, as they were named. */
export function touchedFiles(history: readonly Message[], look: FindLook): readonly string[] {
  const found = new Set<string>()
  for (const message of history.slice(-mostMessages).toReversed()) {
    for (const path of namedIn(message, look)) found.add(path)
    if (found.size >= mostFiles) break
  }
  return [...found].slice(0, mostFiles)
}

function namedIn(message: Message, look: FindLook): readonly string[] {
  if (message.type === 'user') return mentions(spokenText(message)).filter((word) => word.includes('.'))
  return toolCalls(message).flatMap(({ name, arguments: args }) => {
    const { display, target } = look(name)
    // The target of such a call is one file.
    return display === 'file' || display === 'diff' ? (target?.(args) ?? []) : []
  })
}
