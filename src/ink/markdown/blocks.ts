import type { Line } from '../rows/line.ts'

/**
 * The state of splitting a streaming Markdown text into blocks: paragraphs, headings, list items, tables, lines of code.
 * A whole block never changes, whatever follows.
 */
export interface Blocks {
  /** Complete lines of the open block, each with its line end. */
  readonly open: string
  /** Number of lines in `open`. */
  readonly lines: number
  readonly isQuote: boolean
  /** Set if the open block continues a longer one. */
  readonly rest: Rest | undefined
  /** The last line, which may still grow. */
  readonly partial: string
  /** The code fence that is open. */
  readonly fence: Fence | undefined
  /** Whether a blank line precedes the open block, or the next one if none is open. */
  readonly gap: boolean
  /** Whether the open or last block belongs to a list, so that an indented line continues its item. */
  readonly inList: boolean
}

interface Fence {
  readonly mark: string
  readonly indent: number
  /** In lower case; empty if none is named. */
  readonly language: string
  /** Whether no line of code followed yet. */
  readonly isNew: boolean
}

/** A whole block. `indent` is the indent of its first line in columns; `gap` means that a blank line precedes it. */
export interface Block {
  readonly type: 'markdown' | 'code'
  /** The text without the indent and the last line end. */
  readonly text: string
  readonly indent: number
  readonly gap: boolean
  /** Continues the previous block, which had grown too long. A table is then drawn without its head. */
  readonly isRest?: boolean
  /** The measures of a table's columns, if they are not its own: all pieces have those of the first. */
  readonly columns?: readonly number[] | undefined
  /** The language of a line of code. */
  readonly language?: string
  /** Whether a line of code is the first of its fence. */
  readonly opens?: boolean
  /** The text in the colours of its language. */
  readonly spans?: Line
}

/** How the rest of a long block is drawn. */
export interface Rest {
  /** Indent in columns. */
  readonly indent: number
  /** Text put before each piece: the mark of a quote, the head of a table. */
  readonly prefix: string
  /** The measures of a table's columns. */
  readonly columns?: readonly number[] | undefined
}

export const noBlocks: Blocks = {
  open: '',
  lines: 0,
  isQuote: false,
  rest: undefined,
  partial: '',
  fence: undefined,
  gap: false,
  inList: false,
}

export interface BlockStep {
  readonly blocks: Blocks
  readonly whole: readonly Block[]
}

/** Adds a delta in O(delta), however long the open block is. */
export function addText(blocks: Blocks, delta: string): BlockStep {
  const [first = '', ...rest] = delta.split('\n')
  let now: Blocks = { ...blocks, partial: blocks.partial + first }
  const whole: Block[] = []
  for (const next of rest) {
    const step = addLine(now, now.partial)
    now = { ...step.blocks, partial: next }
    whole.push(...step.whole)
  }
  return { blocks: now, whole }
}

/** Ends the text and returns the rest of it as whole blocks. */
export function endText(blocks: Blocks): readonly Block[] {
  const { partial } = blocks
  const last = partial === '' ? { blocks, whole: [] } : addLine(blocks, partial)
  return [...last.whole, ...close(last.blocks)]
}

const item = /^\s*([-*+]|\d{1,9}[.)])\s+\S/
const quote = /^ {0,3}>/
const heading = /^ {0,3}#{1,6}(\s|$)/
const rule = /^ {0,3}([-*_])( *\1){2,} *$/
const fenceMark = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})/

/** Adds a whole line. */
export function addLine(blocks: Blocks, text: string): BlockStep {
  const { fence, open, inList, isQuote } = blocks
  if (fence !== undefined) return addCode(blocks, fence, text)
  if (blocks.rest !== undefined && open === '' && text.trim() !== '') {
    return { blocks: { ...blocks, open: `${text}\n`, lines: 1, partial: '' }, whole: [] }
  }
  if (text.trim() === '') return { blocks: { ...noBlocks, gap: true, inList }, whole: close(blocks) }
  const [, indent = '', mark] = fenceMark.exec(text) ?? []
  if (mark !== undefined) {
    const [language = ''] =
      /[\w+#][\w+#.-]*/.exec(text.slice(indent.length + mark.length).toLowerCase()) ?? []
    const gap = open === '' && blocks.gap
    return {
      blocks: { ...noBlocks, fence: { mark, indent: indent.length, language, isNew: true }, gap, inList },
      whole: close(blocks),
    }
  }
  if (open !== '' && continues(isQuote, text)) {
    return { blocks: { ...blocks, open: `${open}${text}\n`, lines: blocks.lines + 1 }, whole: [] }
  }
  const begun: Blocks = {
    ...noBlocks,
    open: `${text}\n`,
    lines: 1,
    isQuote: quote.test(text),
    gap: open === '' && blocks.gap,
    inList: item.test(text) || (inList && /^\s/.test(text)),
  }
  if (!heading.test(text) && !rule.test(text)) return { blocks: begun, whole: close(blocks) }
  return { blocks: noBlocks, whole: [...close(blocks), ...close(begun)] }
}

/** Whether a line belongs to the block before it. */
export function continues(isQuote: boolean, text: string): boolean {
  if (item.test(text) || heading.test(text)) return false
  return isQuote || !quote.test(text)
}

function addCode(blocks: Blocks, fence: Fence, text: string): BlockStep {
  const isRest = blocks.rest !== undefined
  const end = text.trim()
  if (!isRest && end.length >= fence.mark.length && end === fence.mark.charAt(0).repeat(end.length)) {
    return { blocks: { ...noBlocks, inList: blocks.inList }, whole: [] }
  }
  const own = isRest ? text : text.slice(Math.min(fence.indent, text.search(/\S|$/)))
  const { indent, language } = fence
  const block: Block = {
    type: 'code',
    text: own,
    indent,
    gap: blocks.gap,
    language,
    ...(fence.isNew && { opens: true }),
  }
  const next = fence.isNew ? { ...fence, isNew: false } : fence
  return { blocks: { ...blocks, fence: next, partial: '', rest: undefined, gap: false }, whole: [block] }
}

/** Returns the open text as a whole block. */
export function close({ open, gap, inList, rest }: Blocks): readonly Block[] {
  if (open === '') return []
  if (rest !== undefined) {
    const text = rest.prefix + open.slice(0, -1)
    const { indent, columns } = rest
    return [{ type: 'markdown', text, indent, gap: false, isRest: true, columns }]
  }
  const indent = inList ? open.search(/\S/) : 0
  return [{ type: 'markdown', text: open.slice(indent, -1), indent, gap }]
}
