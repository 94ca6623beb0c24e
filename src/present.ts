type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that have a value: optional properties are left out, never set to `undefined`. */
export function present<T extends object>(fields: T): Present<T>
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
