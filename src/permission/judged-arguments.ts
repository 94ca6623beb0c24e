import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { JudgedCall } from '../permission.ts'

/** A string argument of a call; `undefined` if it is missing or not a string. */
export function textArgument(args: JsonValue, name: string): string | undefined {
  const value = isJsonObject(args) ? args[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Whether a call of the `process` tool does one of these actions to a background process. */
export function isProcessCall({ tool, arguments: args }: JudgedCall, ...actions: readonly string[]): boolean {
  return tool.name.toLowerCase() === 'process' && actions.includes(textArgument(args, 'action') ?? '')
}

/** The host in the call's `url` argument; `undefined` without a valid URL. */
export function hostOf(args: JsonValue): string | undefined {
  const url = textArgument(args, 'url')
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined
}
