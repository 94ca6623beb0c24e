import { type JsonValue, parseJson } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { type FrontMatterField, readList, readScalar } from './front-matter.ts'

type Line = FrontMatterField['below'][number]

/** Nested levels of a value. */
const deepest = 12

/**
 * Reads a field of any form: a text, a number, a list, or values nested by their indentation. Refuses what it cannot read with a reason
 * that begins with the line: `3: …`.
 */
export function readNested(field: FrontMatterField): Result<JsonValue> {
  const { text, below } = field
  if (text !== '' && !text.startsWith('#')) return readInline(field)
  if (below.length === 0) return refused(`${field.line}: ${field.name} is empty`)
  return readBlock(below, { name: field.name, depth: 0 })
}

interface Place {
  /** The field that it belongs to. */
  readonly name: string
  readonly depth: number
}

function readBlock(lines: readonly Line[], place: Place): Result<JsonValue> {
  const [first] = lines
  if (first === undefined) return ok(null)
  const { name, depth } = place
  if (depth > deepest) return refused(`${first.line}: ${name} is nested too deeply`)
  const tab = lines.find(({ text }) => /^ *\t/.test(text))
  if (tab !== undefined) return refused(`${tab.line}: indent it with spaces, not tabs`)
  const entries = split(lines)
  if (entries === undefined) return refused(`${first.line}: its lines are not indented alike`)
  return /^ *-(?: |$)/.test(first.text) ? readItems(entries, place) : readMap(entries, place)
}

/** Groups lines by those of the least indentation, each with the deeper ones below it. */
function split(lines: readonly Line[]): readonly (readonly Line[])[] | undefined {
  const [first] = lines
  const indent = indentOf(first?.text ?? '')
  const isList = first !== undefined && first.text.charAt(indent) === '-'
  const groups: Line[][] = []
  for (const line of lines) {
    const own = indentOf(line.text)
    if (own < indent) return undefined
    // A list may stand as far left as the name that it belongs to.
    const isHead = own === indent && (isList || line.text.charAt(own) !== '-')
    if (isHead) groups.push([line])
    else groups.at(-1)?.push(line)
  }
  return groups
}

function indentOf(text: string): number {
  return /^ */.exec(text)?.[0].length ?? 0
}

function readItems(groups: readonly (readonly Line[])[], { name, depth }: Place): Result<JsonValue> {
  const items: JsonValue[] = []
  for (const [head, ...below] of groups) {
    if (head === undefined) continue
    const [, start = '', rest = ''] = /^( *-(?: +|$))(.*)$/.exec(head.text) ?? []
    if (start === '') return refused(`${head.line}: expected a list item, such as - read`)
    const isMap = entryOf(rest) !== undefined && !/^["'[{]/.test(rest)
    // What follows the dash begins a map, whose other lines are as far right.
    const inner = isMap ? [{ line: head.line, text: ' '.repeat(start.length) + rest }, ...below] : below
    const item =
      isMap || rest === ''
        ? readBlock(inner, { name, depth: depth + 1 })
        : readInline({ name, line: head.line, text: rest, below })
    if (item.type === 'refused') return item
    items.push(item.value)
  }
  return ok(items)
}

function entryOf(text: string): readonly [string, string] | undefined {
  const [, quoted, bare, value = ''] =
    /^ *(?:"([^"\\]*)"|([^\s"'#:-][^:#]*?)) *:(?: +(.*))?$/.exec(text) ?? []
  const key = quoted ?? bare
  return key === undefined ? undefined : [key, value.trim()]
}

function readMap(groups: readonly (readonly Line[])[], { name, depth }: Place): Result<JsonValue> {
  const entries = new Map<string, JsonValue>()
  for (const [head, ...below] of groups) {
    if (head === undefined) continue
    const entry = entryOf(head.text)
    if (entry === undefined)
      return refused(`${head.line}: expected a name and a value, such as type: command`)
    const [key, text] = entry
    if (entries.has(key)) return refused(`${head.line}: ${key} is already there`)
    const isBlock = text === '' || text.startsWith('#')
    const value = isBlock
      ? readBlock(below, { name, depth: depth + 1 })
      : readInline({ name: key, line: head.line, text, below })
    if (value.type === 'refused') return value
    entries.set(key, value.value)
  }
  return ok(Object.fromEntries(entries))
}

/** Reads a value that begins on the line of its name. */
function readInline(field: FrontMatterField): Result<JsonValue> {
  const { text, below, line } = field
  if (text.startsWith('{')) {
    const value = parseJson(text, deepest)
    return value === undefined ? refused(`${line}: after { it takes JSON on one line`) : ok(value)
  }
  if (text.startsWith('[')) return readList(field)
  if (/^[|>]/.test(text) || below.length === 0) return typed(field)
  const whole = [text, ...below.map((one) => one.text.trim())].join(' ')
  return typed({ ...field, text: whole, below: [] })
}

/** Reads a plain word as what it means: a number, true or false. Text in quotes stays a text. */
function typed(field: FrontMatterField): Result<JsonValue> {
  // Groups of hooks for all tools have such a matcher.
  if (/^(""|'')[ \t]*(#.*)?$/.test(field.text)) return ok('')
  const read = readScalar(field)
  if (read.type === 'refused' || /^["'|>]/.test(field.text)) return read
  const { value } = read
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return ok(Number(value))
  return ok(/^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value)
}
