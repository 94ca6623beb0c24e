type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops fields that are `undefined`, so optional properties are absent instead. */
export function omitUndefined<T extends object>(fields: T): Present<T>
export function omitUndefined(fields: Readonly<Record<string, unknown>>): object {
  const present: Record<string, unknown> = {}
  // A loop takes a third of the time that entries take, and loading a session calls this for each part of a message.
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name]
  return present
}
