import { allOf, ok, type Result, refused } from '../../machine/result.ts'

/** A field as it is written. Its value is read by `readScalar` or `readList`. */
export interface FrontMatterField {
  readonly name: string
  /** The line in the file, from 1. */
  readonly line: number
  readonly text: string
  /** The lines below it that are no field: list items, nested values. */
  readonly below: readonly Line[]
}

interface Line {
  readonly line: number
  readonly text: string
}

export interface FrontMatter {
  readonly fields: readonly FrontMatterField[]
  /** The text after the closing line. */
  readonly body: string
}

/** Far above the number of fields that any program knows. */
const mostFields = 50

/** Splits a file into its fields and its body. Refuses with a reason that begins with the line: `3: …`. */
export function splitFrontMatter(content: string): Result<FrontMatter> {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return refused('1: expected --- in a line of its own, then the fields')
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---')
  if (end < 0) return refused('1: the fields have no closing ---')
  const fields: (FrontMatterField & { readonly below: Line[] })[] = []
  for (const [i, text] of lines.slice(1, end).entries()) {
    const line = i + 2
    if (/[^\P{Cc}\t]/u.test(text)) return refused(`${line}: it contains a control character`)
    const last = fields.at(-1)
    if (last !== undefined && blockStart.test(last.text) && /^([ \t]|$)/.test(text)) {
      last.below.push({ line, text })
      continue
    }
    if (/^[ \t]*(#|$)/.test(text)) continue
    const [, name, value = ''] = /^([a-z_][\w-]{0,63}):(?:[ \t]+(.*))?$/i.exec(text) ?? []
    if (name !== undefined) {
      const earlier = fields.find((field) => field.name === name)
      if (earlier !== undefined) return refused(`${line}: ${name} is already on line ${earlier.line}`)
      if (fields.length === mostFields) return refused(`${line}: it has more than ${mostFields} fields`)
      fields.push({ name, line, text: value.trim(), below: [] })
    } else if (last !== undefined && /^[ \t-]/.test(text)) last.below.push({ line, text })
    else return refused(`${line}: expected a field, such as name: reviewer`)
  }
  return ok({ fields, body: lines.slice(end + 1).join('\n') })
}

/** The first line of a text over several lines: `|` keeps its lines, `>` joins them. A digit states its indentation. */
const blockStart = /^([|>])(?:([1-9])[+-]?|[+-]([1-9])?)?(?:[ \t]+#.*)?$/

/** Reads a field with one text: plain or in quotes on one line, or a block below `|` or `>`. */
export function readScalar(field: FrontMatterField): Result<string> {
  const { name, line, text, below } = field
  if (blockStart.test(text)) return readBlock(field)
  const [more] = below
  if (more !== undefined) return refused(`${more.line}: ${name} takes one text, on one line`)
  const value = readText({ line, text })
  return value.type === 'ok' && value.value.trim() === '' ? refused(`${line}: ${name} is empty`) : value
}

/** Reads a block without the line breaks at its end, whatever its first line says of them. */
function readBlock({ name, line, text, below }: FrontMatterField): Result<string> {
  const [, kind, before, after] = blockStart.exec(text) ?? []
  const first = below.find(({ text }) => text.trim() !== '')
  if (first === undefined) return refused(`${line}: ${name} is empty`)
  const indent = Number(before ?? after ?? /^ */.exec(first.text)?.[0].length)
  const short = below.find(
    ({ text }) => text.trim() !== '' && !text.startsWith(' '.repeat(Math.max(1, indent))),
  )
  if (short !== undefined)
    return refused(`${short.line}: indent it with spaces, at least as far as the first line of ${name}`)
  const whole = below.map(({ text }) => text.slice(indent)).join('\n')
  return ok((kind === '|' ? whole : fold(whole)).trimEnd())
}

/** Joins lines by a blank, as `>` does. Empty lines stay as breaks, and an indented line keeps those around it. */
function fold(text: string): string {
  const breaks = /(?<=^[^ \t\n][^\n]*)\n(\n*)(?=[^ \t\n])/gm
  return text.replace(breaks, (_, more: string) => (more === '' ? ' ' : more))
}

/** Reads a field with a list: `[a, b]` or `a, b`, which may go on in the lines below, or `- a` lines. */
export function readList({ name, line, text, below }: FrontMatterField): Result<readonly string[]> {
  const [first] = below
  if (text === '' || text.startsWith('#')) {
    if (first === undefined) return refused(`${line}: ${name} is empty; leave it out, or write []`)
    return allOf(below.map(readItem))
  }
  const item = below.find(({ text }) => /^[ \t]*-[ \t]/.test(text))
  if (item !== undefined) return refused(`${item.line}: ${name} already has a value on line ${line}`)
  const whole = [{ text }, ...below].map((one) => withoutComment(one.text)).join(' ')
  const bare = text.startsWith('[') ? inBrackets(whole) : whole
  if (bare === undefined) return refused(`${line}: the list of ${name} has no closing ], or text after it`)
  return allOf(splitItems(bare).map((item) => readText({ line, text: item })))
}

function readItem({ line, text }: Line): Result<string> {
  const [, item] = /^[ \t]*-[ \t]+(\S.*)$/.exec(text) ?? []
  return item === undefined
    ? refused(`${line}: expected a list item, such as - read`)
    : readText({ line, text: item.trim() })
}

/** Names what the first character of a value starts and what is not supported. */
const unsupported: Readonly<Record<string, string>> = {
  '|': 'text over several lines',
  '>': 'text over several lines',
  '&': 'anchors',
  '*': 'aliases',
  '!': 'tags',
  '{': 'maps',
  '[': 'lists within this field',
}

function readText({ line, text }: Line): Result<string> {
  const first = text.charAt(0)
  if (first === '"') return readDoubleQuoted({ line, text })
  if (first === "'") {
    const [, quoted] = /^'((?:[^']|'')*)'[ \t]*(?:#.*)?$/.exec(text) ?? []
    return quoted === undefined
      ? refused(`${line}: the quotes do not match; inside them, write '' for '`)
      : ok(quoted.replaceAll("''", "'"))
  }
  const kind = Object.hasOwn(unsupported, first) ? unsupported[first] : undefined
  return kind === undefined
    ? ok(withoutComment(text))
    : refused(`${line}: ${first} (${kind}) is not supported; put text that begins with it in quotes`)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

function readDoubleQuoted({ line, text }: Line): Result<string> {
  const [, quoted] = /^"((?:[^"\\]|\\["\\nt])*)"[ \t]*(?:#.*)?$/.exec(text) ?? []
  if (quoted === undefined)
    return refused(String.raw`${line}: the quotes do not match, or hold an escape other than \" \\ \n \t`)
  return ok(quoted.replace(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped))
}

function withoutComment(text: string): string {
  const at = text.startsWith('#') ? 0 : text.search(/[ \t]#/)
  return (at < 0 ? text : text.slice(0, at)).trim()
}

/** Returns the text between the brackets; `undefined` if they do not enclose all of it. */
function inBrackets(text: string): string | undefined {
  const end = text.lastIndexOf(']')
  const rest = text.slice(end + 1).trim()
  return end > 0 && (rest === '' || rest.startsWith('#')) ? text.slice(1, end) : undefined
}

/** Splits at commas outside of quotes and parentheses. */
function splitItems(text: string): readonly string[] {
  const items = ['']
  let quote = ''
  let depth = 0
  for (const character of text) {
    if (quote === '' && depth === 0 && character === ',') {
      items.push('')
      continue
    }
    const item = items.pop() ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if ((character === '"' || character === "'") && item.trim() === '') quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    items.push(item + character)
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}
