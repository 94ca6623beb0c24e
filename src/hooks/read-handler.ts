import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { isLoopback } from '../machine/loopback.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type HookEvent, type HookHandler, refusableEvents } from './hook.ts'

/** Reads the work of a hook in a file. */
export type WrittenHandler = Exclude<HookHandler, { readonly type: 'callback' }>

/** Reads what a hook does. Refuses what it does not know, and a question to a model whose answer would have no effect. */
export function readHandler(fields: JsonObject, event: HookEvent): Result<WrittenHandler> {
  switch (fields['type']) {
    case 'command':
      return readCommand(fields)
    case 'http':
      return readHttp(fields)
    case 'prompt':
    case 'agent':
      if (refusableEvents.includes(event)) return readPrompt(fields, fields['type'])
      return refused('an answer of a model has no effect at this event, so the hook does not run')
    default:
      return refused(
        `hooks of type ${spell(String(fields['type']))} are not supported, so this one does not run`,
      )
  }
}

function readCommand({ command, args, shell }: JsonObject): Result<WrittenHandler> {
  if (shell !== undefined && shell !== 'bash')
    return refused(`the hook does not run: the shell is bash, not ${spell(String(shell))}`)
  const isGood = isText(command) && (args === undefined || isTexts(args))
  if (!isGood) return unexpected([isText(command) ? 'args' : 'command'])
  return ok({ type: 'command', command, ...omitUndefined({ args: isTexts(args) ? args : undefined, shell }) })
}

function readHttp({ url, headers = {}, allowedEnvVars: variables = [] }: JsonObject): Result<WrittenHandler> {
  if (!isText(url) || !URL.canParse(url)) return unexpected(['url'])
  if (!isTextRecord(headers)) return unexpected(['headers'])
  if (!isTexts(variables)) return unexpected(['allowedEnvVars'])
  if (!isSafeUrl(url)) return refused('the hook does not run: its URL is neither https nor on this machine')
  return ok({ type: 'http', url, headers, variables })
}

function readPrompt({ prompt, model }: JsonObject, type: 'prompt' | 'agent'): Result<WrittenHandler> {
  if (!isText(prompt)) return unexpected(['prompt'])
  if (model !== undefined && !isText(model)) return unexpected(['model'])
  return ok({ type, prompt, ...omitUndefined({ model }) })
}

/** Whether nobody on the way can read what is sent there. */
export function isSafeUrl(url: string): boolean {
  const { protocol } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url))
}

/** Says that fields are not as they must be. */
function unexpected(fields: readonly string[]): Result<never> {
  return refused(`the hook does not run: ${fields.join(', ')} is not as expected`)
}

/** Quotes what is not a plain word, so that a file cannot forge a line. */
export function spell(text: string): string {
  return /^[\w-]{1,40}$/.test(text) ? text : JSON.stringify(text.slice(0, 80))
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isTextRecord(value: JsonValue): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string')
}
