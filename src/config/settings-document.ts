import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { PipeError } from '../error.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { type JsonValue, parseJson } from '../json-value.ts'

/** Largest settings file in bytes. Settings are written by hand. */
const limit = 256 * 1024

/**
 * Parses a JSON file with comments and trailing commas; `undefined` if it is missing or empty. Throws `config` with path and
 * position. Does not block on a FIFO or device, and reads at most `most` bytes, which are 256 KiB.
 */
export async function readJsonWithComments(path: string, most?: number): Promise<JsonValue | undefined> {
  const text = readSettingsText(path, most)
  if (text === undefined || text.trim() === '') return undefined
  return parseDocument(text, path)
}

/** Parses JSON with comments and trailing commas. Throws `config` with its origin and the position. */
export async function parseDocument(text: string, origin: string): Promise<JsonValue> {
  const value = parseJson(text) ?? (await parseWithComments(text, origin))
  refuseRepeats(text, origin)
  return value
}

/** Rejects a name that occurs twice in an object: only the last would count, which could allow what the first forbids. */
function refuseRepeats(text: string, path: string): void {
  const open: Set<JsonValue | undefined>[] = []
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]|\/\/.*|\/\*[\s\S]*?\*\//g
  for (const { 0: token, 1: quoted = '', 2: colon, index } of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    if (token === '}') open.pop()
    if (colon === undefined) continue
    const [names, name] = [open.at(-1), parseJson(quoted)]
    if (names?.has(name) === true)
      throw new PipeError(
        'config',
        `${path}:${positionOf(index, text)}: ${quoted} is already in this object: keep one`,
      )
    names?.add(name)
  }
}

/** Reads a settings file of at most `most` bytes as text; `undefined` if it is missing. Throws `config`. */
export function readSettingsText(path: string, most: number = limit): string | undefined {
  const descriptor = open(path)
  if (descriptor === undefined) return undefined
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw unreadable(path, 'it is not a regular file')
    if (stat.size > most) throw unreadable(path, `it has more than ${most} bytes`)
    const buffer = new Uint8Array(stat.size)
    return new TextDecoder().decode(buffer.subarray(0, readSync(descriptor, buffer)))
  } finally {
    closeSync(descriptor)
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new PipeError('config', fileError(error, path, 'read').message, { cause: error })
  }
}

function unreadable(path: string, reason: string): PipeError {
  return new PipeError('config', `cannot read ${path}: ${reason}`)
}

async function parseWithComments(text: string, path: string): Promise<JsonValue> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const value = notTooDeep(path, (): JsonValue => parse(text, errors, { allowTrailingComma: true }))
  const [first] = errors
  if (first === undefined) return value
  const fault = faults[printParseErrorCode(first.error)] ?? 'it cannot be read from here on'
  throw new PipeError('config', `${path}:${positionOf(first.offset, text)}: not valid JSON: ${fault}`)
}

/** Descriptions of syntax errors by the parser's error names. */
const faults: Readonly<Record<string, string>> = {
  InvalidSymbol: 'unexpected word; text needs double quotes',
  InvalidNumberFormat: 'invalid number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'unexpected text after the end',
  InvalidCommentToken: 'invalid comment',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a closing quote is missing',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'invalid \\u escape',
  InvalidEscapeCharacter: 'invalid escape',
  InvalidCharacter: 'unescaped control character',
}

/** Formats an offset as line and column, both from 1, such as `3:14`. */
export function positionOf(offset: number, text: string): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

/** Catches the stack overflow of the recursive parser on deeply nested text. */
function notTooDeep<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new PipeError('config', `${path}: nested too deeply`, { cause: error })
  }
}

/**
 * Finds the first position of a string in a JSON file, such as `3:14`. Returns `undefined` if it is absent or written with other
 * escapes.
 */
export function positionOfString(value: string, path: string): string | undefined {
  const text = readSettingsText(path) ?? ''
  const offset = text.indexOf(JSON.stringify(value))
  return offset === -1 ? undefined : positionOf(offset, text)
}
