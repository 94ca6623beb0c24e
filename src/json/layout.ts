type Fields = Readonly<Record<string, unknown>>

/** The version of the envelope that this program writes. */
export const currentVersion = 1

/** The line that opens the list of messages; each message is one line below it. */
export const messagesLine = '"messages": ['

/** Where the session's bounded state stands: after the messages, so that an append can write it anew. */
export const stateFields: readonly string[] = ['updated_at', 'title', 'head', 'model', 'usage', 'cost_usd']

/** The lines before the first message, without the last newline: one field a line. */
export function preamble(fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => `${pair(name, value)},\n`)
  return `{\n${lines.join('')}${messagesLine}`
}

/** What follows the last message, beginning with the newline that ends it. */
export function closing(fields: Fields): string {
  const lines = Object.entries(fields).map(([name, value]) => pair(name, value))
  return `\n],\n${lines.join(',\n')}\n}\n`
}

/** What stands between two messages, and before the first. */
export function lead(empty: boolean): string {
  return empty ? '\n' : ',\n'
}

/** A line as JSON, without what parts it from the next. */
export function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line
}

function pair(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`
}
