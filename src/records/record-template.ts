import { PipeError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { InputRecord, RecordFormat } from './input-record.ts'

/** `path`: it is a path of a file to attach, which may not have these characters. */
type Part = string | { readonly field: string; readonly path?: RegExp | undefined }

/** `{{`, `{}`, and `{name}` with a name as fields have: JSON and code in a prompt stay as they are. */
const placeholder = /\{\{|\{([\p{L}_][\p{L}\p{N}_ .-]{0,99})?\}/gu
/** Matches the text before a placeholder in the path of a file to attach: `@{}`, `@docs/{name}.md`; or `@"{}"`, which may have blanks. */
const beginsPath = /(?:^|\s)@[^\s"@]*$/
const beginsQuotedPath = /(?:^|\s)@"[^"\n]*$/

/** A prompt with places for what differs from record to record. */
export class RecordTemplate {
  readonly #parts: readonly Part[]

  /** Without a text, the record is the prompt. Throws `usage` for a field where records have none. */
  constructor(text: string, format: RecordFormat) {
    this.#parts = readParts(text)
    const field = this.#parts.find((part) => typeof part === 'object' && part.field !== '')
    if (typeof field === 'object' && (format === 'line' || format === 'nul'))
      throw new PipeError(
        'usage',
        `{${field.field}} is a field, which only --each=ndjson and --each=csv have; {} is the record, and {{${field.field}} begins with a brace`,
      )
  }

  /** Whether the record stands in the prompt. If not, it is data behind it. */
  get takesRecord(): boolean {
    return this.#parts.some((part) => typeof part === 'object')
  }

  /** Throws `input` if a place is for a field that is none of these. */
  requireFields(names: readonly string[]): void {
    for (const part of this.#parts)
      if (typeof part === 'object' && part.field !== '' && !names.includes(part.field))
        throw lackOf(part.field, `the header has ${names.join(', ')}`)
  }

  /** Returns the prompt for a record. Throws `input` if the record has no such field. */
  fill(record: InputRecord): string {
    return this.#parts
      .map((part) => (typeof part === 'string' ? part : valueFor(part.field, record)))
      .join('')
  }

  /**
   * Returns the words that may name files to attach: those of the user, and values where the user wrote an `@` before them. What a record
   * says by itself attaches nothing.
   */
  ownWords(record: InputRecord): string {
    const words = this.#parts.map((part) => {
      if (typeof part === 'string') return part
      const value = part.path === undefined ? '' : valueFor(part.field, record)
      return part.path?.test(value) === true ? '' : value
    })
    return words.join('')
  }
}

function readParts(text: string): readonly Part[] {
  const parts: Part[] = []
  let from = 0
  let before = ''
  const add = (words: string) => {
    before += words
    if (words !== '') parts.push(words)
  }
  for (const { 0: found, 1: field = '', index } of text.matchAll(placeholder)) {
    add(text.slice(from, index))
    from = index + found.length
    if (found === '{{') add('{')
    else parts.push({ field, path: endOfPath(before) })
  }
  add(text.slice(from))
  return parts
}

/** Returns what would end the path that stands here; `undefined` outside of a path. */
function endOfPath(before: string): RegExp | undefined {
  if (beginsPath.test(before)) return /[\s"@]/
  return beginsQuotedPath.test(before) ? /["\n\r]/ : undefined
}

function valueFor(field: string, { text, fields }: InputRecord): string {
  if (field === '') return text
  const value = fields && fieldOf(field, fields)
  if (value === undefined) {
    throw lackOf(field, fields === undefined ? 'it is not an object' : `it has ${namesOf(fields)}`)
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function lackOf(field: string, known: string): PipeError {
  return new PipeError('input', `there is no field ${JSON.stringify(field)} in the record: ${known}`)
}

/** Most characters of the names that a message lists. */
const longestNames = 200

function namesOf(fields: JsonObject): string {
  const names = Object.keys(fields).join(', ')
  return names.length > longestNames ? `${names.slice(0, longestNames)}…` : names
}

/** Finds a field by its name, or by a path of names between dots. */
function fieldOf(name: string, fields: JsonObject): JsonValue | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  const dot = name.indexOf('.')
  if (dot === -1) return undefined
  const key = name.slice(0, dot)
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined
  return isJsonObject(inner) ? fieldOf(name.slice(dot + 1), inner) : undefined
}
