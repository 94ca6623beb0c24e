import { createScanner, findNodeAtLocation, parseTree } from 'jsonc-parser'

/** Removes a field from a JSON text, and no comment. Returns the text as it is if there is no such field. */
export function withoutField(text: string, field: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const property = root && findNodeAtLocation(root, [...field])?.parent
  if (property === undefined) return text
  const siblings = property.parent?.children ?? []
  const previous = siblings[siblings.indexOf(property) - 1]
  const end = property.offset + property.length
  const comma = commaAfter(text, end)
  if (comma !== undefined) return cut(text, property.offset, comma + 1)
  const rest = cut(text, property.offset, end)
  const earlier = previous && commaAfter(text, previous.offset + previous.length)
  return earlier === undefined ? rest : rest.slice(0, earlier) + rest.slice(earlier + 1)
}

/** Cuts a part out, with its line if nothing else is on it. */
function cut(text: string, from: number, to: number): string {
  const [blank = ''] = /^[ \t]*(?=\r?\n)/.exec(text.slice(to)) ?? []
  const [indent = ''] = /\r?\n[ \t]*$/.exec(text.slice(0, from)) ?? []
  const ownsLine = indent !== '' && /^[ \t]*\r?\n/.test(text.slice(to))
  return ownsLine
    ? text.slice(0, from - indent.length) + text.slice(to + blank.length)
    : text.slice(0, from) + text.slice(to).replace(/^[ \t]+/, '')
}

/** Finds the comma that follows a value; `undefined` if there is none. */
function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(at)
  scanner.scan()
  const offset = scanner.getTokenOffset()
  return text[offset] === ',' ? offset : undefined
}
