import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { type JsonValue, parseJson } from '../json-value.ts'

/** Bytes. Settings are written by hand. */
const limit = 256 * 1024

/**
 * What a JSON file says, comments and trailing commas allowed; `undefined` where there is no file, or nothing in it. Throws
 * `config` naming the file and the place in it. Never waits for a FIFO or a device and never reads more than 256 KiB.
 */
export async function readDocument(path: string): Promise<JsonValue | undefined> {
  const text = readText(path)
  if (text === undefined || text.trim() === '') return undefined
  const value = parseJson(text) ?? (await parseWithComments(text, path))
  refuseRepeats(text, path)
  return value
}

/** Of a name that stands twice in one object only the last would count, and what the first forbids would be allowed. */
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
        `${path}:${placeOf(index, text)}: ${quoted} stands in this object already: keep one`,
      )
    names?.add(name)
  }
}

/** What stands in a file of settings; `undefined` where there is none. Throws `config`. */
export function readText(path: string): string | undefined {
  const descriptor = open(path)
  if (descriptor === undefined) return undefined
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw unreadable(path, 'it is not a regular file')
    if (stat.size > limit) throw unreadable(path, `it has more than ${limit} bytes`)
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
    throw unreadable(path, code ?? String(error), error)
  }
}

function unreadable(path: string, reason: string, cause?: unknown): PipeError {
  return new PipeError('config', `cannot read ${path}: ${reason}`, { cause })
}

async function parseWithComments(text: string, path: string): Promise<JsonValue> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const value = notTooDeep(path, (): JsonValue => parse(text, errors, { allowTrailingComma: true }))
  const [first] = errors
  if (first === undefined) return value
  const fault = faults[printParseErrorCode(first.error)] ?? 'it cannot be read from here on'
  throw new PipeError('config', `${path}:${placeOf(first.offset, text)}: not valid JSON: ${fault}`)
}

/** By the parser's own names. */
const faults: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word stands here that is none of JSON; text needs double quotes',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'something follows after its end',
  InvalidCommentToken: 'this is no comment',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a closing quote is missing',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'this is no \\u escape',
  InvalidEscapeCharacter: 'this is no escape',
  InvalidCharacter: 'a control character stands here',
}

/** Line and column of an offset, both from 1, as `3:14`. */
export function placeOf(offset: number, text: string): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

/** The parser calls itself for each level and runs out of stack on text that was made to that end. */
function notTooDeep<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new PipeError('config', `${path}: nested too deeply`, { cause: error })
  }
}

/** Where a text stands in a JSON file for the first time, as `3:14`; `undefined` where it does not, as it is commonly written. */
export function placeOfString(value: string, path: string): string | undefined {
  const text = readText(path) ?? ''
  const offset = text.indexOf(JSON.stringify(value))
  return offset === -1 ? undefined : placeOf(offset, text)
}
