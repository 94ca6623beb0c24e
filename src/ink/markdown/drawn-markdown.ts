import { lexer, type Token, type Tokens } from 'marked'
import { childrenOf, isList, isTable } from '../../frontend/markdown-tokens.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { columnsOf } from '../rows/columns.ts'
import {
  breakLines,
  type Line,
  line,
  lineText,
  type Span,
  type Style,
  span,
  withoutStart,
  wrap,
} from '../rows/line.ts'
import type { Block } from './blocks.ts'
import { drawTable, measureTable, type Table } from './markdown-table.ts'

const code: Style = { color: 'code' }
const subtle: Style = { color: 'muted' }

/** Draws a whole block. */
export function drawBlock(block: Block, width: number, syntax?: Syntax): Line[] {
  const { type, text, indent, gap } = block
  const margin = type === 'code' ? indent + 2 : indent
  const room = Math.max(1, width - margin)
  const body =
    type === 'code'
      ? wrapCode(block.spans ?? codeSpans(text, block.language, syntax), room)
      : lexer(text).flatMap((token) => drawToken(token, room, block))
  const rows = margin === 0 || margin >= width ? body : body.map((row) => [span(' '.repeat(margin)), ...row])
  return gap ? [[], ...rows] : rows
}

/** Highlights a line of code without those before it. */
function codeSpans(text: string, language: string | undefined, syntax: Syntax | undefined): Line {
  const lines = language === undefined ? undefined : syntax?.lines(text, language)
  return lines?.[0]?.spans ?? line(text)
}

/** Columns by which the rest of a line of code is indented more than its beginning. */
const codeHang = 2

/** Wraps a line of code below its own indentation, of which a narrow window keeps a half of its width. */
function wrapCode(spans: Line, width: number): Line[] {
  const text = lineText(spans)
  if (columnsOf(text) <= width) return [spans]
  const indentation = text.length - text.trimStart().length
  const margin = span(' '.repeat(Math.min(indentation, Math.floor(width / 2))))
  const room = width - margin.text.length
  return wrap(withoutStart(spans, indentation), room, codeHang).map((row) => [margin, ...row])
}

/** Options for a piece of a table: the widths of the whole one, and no head, which was drawn further up. */
type TableLook = Pick<Block, 'columns' | 'isRest'>

function drawToken(token: Token, width: number, look: TableLook = {}): Line[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return paragraph(childrenOf(token), width, { bold: true })
    case 'paragraph':
    case 'text':
      return paragraph(childrenOf(token), width)
    case 'code':
      return String(token['text'])
        .split('\n')
        .flatMap((one) => wrapCode(line(one), Math.max(1, width - 2)))
        .map((row) => [span('  '), ...row])
    case 'hr':
      return [line('─'.repeat(Math.min(width, 40)), subtle)]
    case 'blockquote':
      return childrenOf(token)
        .flatMap((child) => drawToken(child, Math.max(1, width - 2)))
        .map((row) => [span('│ ', subtle), ...row])
    case 'list':
      return isList(token) ? drawList(token, width) : []
    case 'table':
      return isTable(token) ? drawTableToken(token, width, look) : []
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
    const mark = ordered ? `${Number(start) + i}. ${box}` : box || '• '
    const children = item.tokens.filter(({ type }) => type !== 'checkbox')
    const rows = children.flatMap((child) => drawToken(child, Math.max(1, width - mark.length)))
    const hang = span(' '.repeat(mark.length))
    return rows.map((row, at) => [at === 0 ? span(mark, { color: 'list' }) : hang, ...row])
  })
}

function drawTableToken(token: Tokens.Table, width: number, { columns, isRest = false }: TableLook): Line[] {
  return drawTable(cellsOf(token), width, columns, isRest)
}

function cellsOf({ header, rows, align }: Tokens.Table): Table {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => inline(tokens, {}))
  return { header: cells(header), rows: rows.map(cells), align }
}

/** Measures the columns of a text that is a table; `undefined` for another text. */
export function tableColumns(text: string): readonly number[] | undefined {
  const table = lexer(text).find(isTable)
  return table === undefined ? undefined : measureTable(cellsOf(table))
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
      case 'html':
        return [/^<br *\/?>$/i.test(token.raw) ? { text: '\n' } : styled(token.raw, style)]
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
