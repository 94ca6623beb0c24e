import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { JudgedCall } from '../permission.ts'

/** A text among the arguments of a call; `undefined` where there is none of that name. */
export function textOf(args: JsonValue, name: string): string | undefined {
  const value = isJsonObject(args) ? args[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Whether a call does one of these to what bash has put in the background. */
export function isProcessCall({ tool, arguments: args }: JudgedCall, ...actions: readonly string[]): boolean {
  return tool.name.toLowerCase() === 'process' && actions.includes(textOf(args, 'action') ?? '')
}

/** The host that a call sends its request to, where it names one. */
export function hostOf(args: JsonValue): string | undefined {
  const url = textOf(args, 'url')
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined
}
