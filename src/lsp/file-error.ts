import { oneLine } from '../characters/one-line.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/** An error that a server sees in a file. */
export interface FileError {
  /** Counts from 1, like `column`. */
  readonly line: number
  readonly column: number
  /** In one line, without control characters. */
  readonly message: string
  /** The name of the rule, if there is one. */
  readonly code?: string
}

/** Cleans a text of a program for models and screens. */
export type CleanMessage = (text: string) => string

/** Errors of a file that are kept. */
const most = 1_000
const longest = { message: 300, code: 40 }

/** Reads diagnostics of the protocol. Warnings, hints and what is broken are left out. */
export function readErrors(items: JsonValue | undefined, clean: CleanMessage): readonly FileError[] {
  return Array.isArray(items) ? items.flatMap((item) => readError(item, clean)).slice(0, most) : []
}

function readError(item: JsonValue, clean: CleanMessage): readonly FileError[] {
  if (!isJsonObject(item) || (item['severity'] ?? 1) !== 1) return []
  const at = startOf(item['range'])
  const message = item['message']
  if (at === undefined || typeof message !== 'string') return []
  return [fileError({ line: at.line + 1, column: at.character + 1, message, code: item['code'] }, clean)]
}

/** Reads diagnostics of the TypeScript server, which count from 1 and have names of their own. */
export function readCompilerErrors(items: JsonValue | undefined, clean: CleanMessage): readonly FileError[] {
  if (!Array.isArray(items)) return []
  return items
    .flatMap((item: JsonValue): readonly FileError[] => {
      if (!isJsonObject(item) || item['category'] !== 'error') return []
      const { start, text, code } = item
      if (!isJsonObject(start) || typeof text !== 'string') return []
      const { line, offset } = start
      if (typeof line !== 'number' || typeof offset !== 'number') return []
      return [fileError({ line, column: offset, message: text, code }, clean)]
    })
    .slice(0, most)
}

function fileError(
  {
    line,
    column,
    message,
    code,
  }: Pick<FileError, 'line' | 'column' | 'message'> & { readonly code?: JsonValue | undefined },
  clean: CleanMessage,
): FileError {
  const name =
    typeof code === 'string' || typeof code === 'number' ? oneLine(clean(String(code)), longest.code) : ''
  return {
    line,
    column,
    message: oneLine(clean(message.slice(0, 4 * longest.message)), longest.message),
    ...(name !== '' && { code: name }),
  }
}

/** Reads where a range of the protocol begins, counted from 0. */
export function startOf(
  range: JsonValue | undefined,
): { readonly line: number; readonly character: number } | undefined {
  const start: JsonObject | undefined =
    isJsonObject(range) && isJsonObject(range['start']) ? range['start'] : undefined
  const { line, character } = start ?? {}
  return typeof line === 'number' && typeof character === 'number' ? { line, character } : undefined
}

/** A text with its errors. */
export interface FileText {
  readonly text: string
  readonly errors: readonly FileError[]
}

/**
 * Finds the errors that an edit brought: of each message as many as there are more than before. Those on lines that had none are new, because
 * others have only moved.
 */
export function newErrors(before: FileText, after: FileText): readonly FileError[] {
  const fresh = new Set<FileError>()
  const old = byMessage(before.errors)
  const [oldLines, newLines] = [linesOf(before), linesOf(after)]
  for (const [key, now] of byMessage(after.errors)) {
    const then = old.get(key) ?? []
    const taken = then.map((error) => oldLines(error))
    const others = now.filter((error) => {
      const at = taken.indexOf(newLines(error))
      if (at >= 0) taken.splice(at, 1)
      return at < 0
    })
    for (const error of others.slice(0, Math.max(0, now.length - then.length))) fresh.add(error)
  }
  return after.errors.filter((error) => fresh.has(error))
}

function byMessage(errors: readonly FileError[]): ReadonlyMap<string, readonly FileError[]> {
  const found = new Map<string, FileError[]>()
  for (const error of errors) {
    const key = `${error.code ?? ''} ${error.message}`
    const list = found.get(key)
    if (list === undefined) found.set(key, [error])
    else list.push(error)
  }
  return found
}

/** Returns the line that an error is on, without its indentation. */
function linesOf({ text }: FileText): (error: FileError) => string {
  const all = text.split('\n')
  return ({ line }) => (all[line - 1] ?? '').trim()
}
