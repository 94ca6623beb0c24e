type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops fields that are `undefined`, so optional properties are absent instead. */
export function omitUndefined<T extends object>(fields: T): Present<T>
export function omitUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
