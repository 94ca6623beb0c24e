/** Passes a value as another type, as a caller without types does. */
export function untyped<T>(value: unknown): T {
  const pretend = (_: unknown): _ is T => true
  if (pretend(value)) return value
  throw new Error('unreachable')
}
