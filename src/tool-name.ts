/** The longest name of a tool that every server takes. */
const longest = 64

/**
 * A tool's name as every server takes it back in a call: letters, digits, `_` and `-`. Models make up others (`functions.glob`), for
 * which the whole request would be refused.
 */
export function acceptableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, longest)
}
