/** Passes a value as another type, as a caller without types does. */
export function untyped<T>(value: unknown): T {
  const parse: (text: string, reviver: () => unknown) => T = JSON.parse
  return parse('0', () => value)
}
