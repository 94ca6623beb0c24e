/** Maximum length of a tool name that all servers accept. */
const maxLength = 64

/**
 * Makes a tool name that all servers accept in a call: letters, digits, `_` and `-`. Models invent others (`functions.glob`),
 * which would fail the whole request.
 */
export function acceptableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, maxLength)
}
