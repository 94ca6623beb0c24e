import type { JsonObject } from '../../json-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** The envelope version that this program writes. */
export const currentVersion = 1

/** The line that opens the list of messages; each message is one line below it. */
export const messagesLine = '"messages": ['

/** Fields of the session's bounded state. They follow the messages, so that an append can rewrite them. */
export const stateFields: readonly string[] = [
  'updated_at',
  'title',
  'head',
  'model',
  'usage',
  'cost_usd',
  'last_turn',
  'pending',
  'moved_to',
]

/** Returns the fields after the messages that this program does not know. They are kept. */
export function unknownState(tail: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(tail).filter(([name]) => !stateFields.includes(name)))
}

/** Formats the lines before the first message, one field per line, without the last newline. */
export function preamble(fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${pair(name, value)},\n`)
  return `{\n${lines.join('')}${messagesLine}`
}

/** Formats the text after the last message, beginning with the newline that ends it. */
export function closing(fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => pair(name, value))
  return `\n],\n${lines.join(',\n')}\n}\n`
}

/** The separator before a message. */
export function lead(empty: boolean): string {
  return empty ? '\n' : ',\n'
}

/** Removes the comma at the end of a line. */
export function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line
}

function pair(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`
}
