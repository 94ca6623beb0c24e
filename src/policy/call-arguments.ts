import { isJsonObject, type JsonValue } from '../json-value.ts'

/** A text among the arguments of a call; `undefined` where there is none of that name. */
export function textOf(args: JsonValue, name: string): string | undefined {
  const value = isJsonObject(args) ? args[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The host that a call sends its request to, where it names one. */
export function hostOf(args: JsonValue): string | undefined {
  const url = textOf(args, 'url')
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined
}
