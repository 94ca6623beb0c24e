import { mentions } from '../../frontend/mentions.ts'
import { isJsonObject } from '../../json-value.ts'
import { type Message, spokenText, toolCalls } from '../../message.ts'

/** Messages that are looked at, from the last one back. */
const mostMessages = 200
/** Files that are returned. */
const mostFiles = 50

/** Returns the files that the user mentioned and that tools were called with, the last one first, as they were named. */
export function touchedFiles(history: readonly Message[]): readonly string[] {
  const found = new Set<string>()
  for (const message of history.slice(-mostMessages).toReversed()) {
    for (const path of namedIn(message)) found.add(path)
    if (found.size >= mostFiles) break
  }
  return [...found].slice(0, mostFiles)
}

function namedIn(message: Message): readonly string[] {
  if (message.type === 'user') return mentions(spokenText(message)).filter((word) => word.includes('.'))
  return toolCalls(message).flatMap(({ name, arguments: args }) => {
    if (!editing.has(name) || !isJsonObject(args)) return []
    return [args['path'], args['file_path']].filter((path) => typeof path === 'string')
  })
}

/** Tools that are called with one file. */
const editing: ReadonlySet<string> = new Set(['read', 'edit', 'write'])
