import { lexer, type Token, type Tokens } from 'marked'
import type { Block } from './blocks.ts'
import { columnsOfLine, cut, type Line, line, type Span, type Style, span, wrap } from './line.ts'

const code: Style = { color: 'cyan' }
const subtle: Style = { dim: true }

/** Draws a whole block. */
export function drawBlock({ type, text, indent, gap, isRest = false }: Block, width: number): Line[] {
  const margin = type === 'code' ? indent + 2 : indent
  const room = Math.max(1, width - margin)
  const body =
    type === 'code'
      ? wrap(line(text, code), room)
      : lexer(text).flatMap((token) => drawToken(token, room, isRest))
  const rows = margin === 0 || margin >= width ? body : body.map((row) => [span(' '.repeat(margin)), ...row])
  return gap ? [[], ...rows] : rows
}

/** With `isRest` the head of a table is omitted: it was drawn further up. */
function drawToken(token: Token, width: number, isRest = false): Line[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return paragraph(childrenOf(token), width, { bold: true, color: 'magenta' })
    case 'paragraph':
    case 'text':
      return paragraph(childrenOf(token), width)
    case 'code':
      return String(token['text'])
        .split('\n')
        .flatMap((one) => wrap([span('  '), span(one, code)], width, 2))
    case 'hr':
      return [line('─'.repeat(Math.min(width, 40)), subtle)]
    case 'blockquote':
      return childrenOf(token)
        .flatMap((child) => drawToken(child, Math.max(1, width - 2)))
        .map((row) => [span('│ ', subtle), ...row])
    case 'list':
      return isList(token) ? drawList(token, width) : []
    case 'table':
      return isTable(token) ? drawTable(token, width).slice(isRest ? 2 : 0) : []
    default:
      return token.raw
        .trimEnd()
        .split('\n')
        .flatMap((one) => wrap(line(one), width))
  }
}

function drawList({ items, ordered, start }: Tokens.List, width: number): Line[] {
  return items.flatMap((item, i) => {
    const box = item.task ? (item.checked === true ? '☑ ' : '☐ ') : ''
    const mark = (ordered ? `${Number(start) + i}. ` : '• ') + box
    const children = item.tokens.filter(({ type }) => type !== 'checkbox')
    const rows = children.flatMap((child) => drawToken(child, Math.max(1, width - mark.length)))
    const hang = span(' '.repeat(mark.length))
    return rows.map((row, at) => [at === 0 ? span(mark, { color: 'blue' }) : hang, ...row])
  })
}

/** Makes columns as wide as their longest cell. If that is too wide, narrows the widest columns and cuts their cells. */
function drawTable({ header, rows, align }: Tokens.Table, width: number): Line[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => inline(cell.tokens, {})))
  const widths = header.map((_, column) =>
    Math.max(1, ...cells.map((row) => columnsOfLine(row[column] ?? []))),
  )
  for (let over = total(widths) - width; over > 0; over = total(widths) - width) {
    const widest = Math.max(...widths)
    if (widest <= 3) break
    const others = widths.filter((one) => one < widest)
    const shrunk = Math.max(3, widest - over, others.length === 0 ? 0 : Math.max(...others) - 1)
    widths[widths.indexOf(widest)] = shrunk
  }
  const drawn = cells.map((row, at) => {
    const parts = widths.flatMap((columns, i): Span[] => {
      const cell = cut(row[i] ?? [], columns)
      const [left, right] = padding(columns - columnsOfLine(cell), align[i])
      const bold = at === 0 ? cell.map((one) => span(one.text, { ...one.style, bold: true })) : cell
      return [...(i === 0 ? [] : [span(' │ ', subtle)]), left, ...bold, right]
    })
    return cut(parts, width)
  })
  const ruler = cut([span(widths.map((columns) => '─'.repeat(columns)).join('─┼─'), subtle)], width)
  return [...drawn.slice(0, 1), ruler, ...drawn.slice(1)]
}

/** Distributes the free columns of a cell to its two sides. */
function padding(columns: number, align: Tokens.Table['align'][number] | undefined): readonly [Span, Span] {
  const room = Math.max(0, columns)
  const left = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return [span(' '.repeat(left)), span(' '.repeat(room - left))]
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, 3 * (widths.length - 1))
}

function paragraph(tokens: readonly Token[], width: number, style: Style = {}): Line[] {
  return breakLines(inline(tokens, style)).flatMap((row) => wrap(row, width))
}

/** Converts inline tokens to spans; a hard line break becomes a span of `\n`. */
function inline(tokens: readonly Token[], style: Style): Span[] {
  return tokens.flatMap((token): Span[] => {
    switch (token.type) {
      case 'strong':
        return inline(childrenOf(token), { ...style, bold: true })
      case 'em':
        return inline(childrenOf(token), { ...style, italic: true })
      case 'del':
        return inline(childrenOf(token), { ...style, strike: true })
      case 'codespan':
        return [styled(String(token['text']), { ...style, ...code })]
      case 'link':
        return link(token, style)
      case 'br':
        return [{ text: '\n' }]
      case 'text':
        return token.tokens === undefined
          ? [styled(decodeEntities(String(token['text'])), style)]
          : inline(token.tokens, style)
      case 'escape':
        return [styled(String(token['text']), style)]
      default:
        return [styled(token.raw, style)]
    }
  })
}

/** Draws a link with its target, unless the text is the target. */
function link(token: Token, style: Style): Span[] {
  const href = String('href' in token ? token.href : '')
  const text = inline(childrenOf(token), { ...style, underline: true })
  const shown = text.map((one) => one.text).join('')
  return shown === href || `mailto:${shown}` === href
    ? text
    : [...text, styled(` (${href})`, { ...style, ...subtle })]
}

function styled(text: string, style: Style): Span {
  return Object.keys(style).length === 0 ? span(text) : span(text, style)
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
}

/** Splits spans at their line ends, which keeps the author's line breaks. */
function breakLines(spans: readonly Span[]): Line[] {
  const rows: Span[][] = [[]]
  for (const { text, style } of spans) {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) rows.push([])
      if (part !== '') rows.at(-1)?.push(style === undefined ? { text: part } : { text: part, style })
    }
  }
  return rows
}

function childrenOf(token: Token): readonly Token[] {
  return 'tokens' in token && token.tokens !== undefined ? token.tokens : []
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list' && 'items' in token
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table' && 'rows' in token
}
