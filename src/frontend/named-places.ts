/** A file that is called, with what stands in its places by name. */
export interface WithParams {
  /** By the name of the place. Default: places stay as they are written. */
  readonly params?: ReadonlyMap<string, string> | undefined
}

const place = /\{\{ *([\w-]+) *\}\}/g

/** Returns the names of the places `{{name}}` of a text. */
export function namedPlaces(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(place), ([, name = '']) => name))
}

/** Puts values into the places of their names. Others stay as they are. */
export function withParams(text: string, params: WithParams['params']): string {
  if (params === undefined) return text
  return text.replace(place, (whole, name: string) => params.get(name) ?? whole)
}
