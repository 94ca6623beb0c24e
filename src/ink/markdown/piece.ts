import { rowEnd, skipSpaces } from '../rows/columns.ts'
import {
  addLine,
  type Block,
  type BlockStep,
  type Blocks,
  close,
  continues,
  noBlocks,
  type Rest,
} from './blocks.ts'
import { tableColumns } from './drawn-markdown.ts'

/** How much space an open block may take, in cells. */
export interface BlockSize {
  readonly columns: number
  readonly rows: number
}

/** Length in characters from which an open block is cut at any row end, and the maximum length of such a piece. */
const longest = 8_000
const pieceLength = 4_000

/**
 * Cuts pieces off the start of the open block until the rest fits into the limit: between two rows, outside emphasis, links and
 * code. This keeps the redrawn part small however long a text gets. The pieces depend on the text alone, not on its deltas.
 */
export function takePieces(blocks: Blocks, limit: BlockSize): BlockStep {
  let now = blocks
  const whole: Block[] = []
  for (let step = takePiece(now, limit); step !== undefined; step = takePiece(now, limit)) {
    now = step.blocks
    whole.push(...step.whole)
  }
  return { blocks: now, whole }
}

/** Removes everything open. Text that follows continues in the next row. */
export function cutAll(blocks: Blocks): Blocks {
  const { open, partial, fence } = blocks
  if (fence !== undefined)
    return partial === '' ? blocks : cutCode(blocks, fence.indent, partial.length).blocks
  const text = open + partial
  const head = headOf(blocks, text)
  if (partial === '' && head === '') return { ...noBlocks, inList: blocks.inList }
  return cutAt(blocks, { at: text.length, head }).blocks
}

function takePiece(blocks: Blocks, { columns, rows }: BlockSize): BlockStep | undefined {
  const { open, partial, lines, isQuote, fence, rest } = blocks
  if (open.length + partial.length < longest && lines + (open.length + partial.length) / columns < rows / 2) {
    return undefined
  }
  if (fence !== undefined) {
    const at = rowCut(partial, { columns: columns - fence.indent - 2, rows }, firstHalf)
    return at === undefined ? undefined : cutCode(blocks, fence.indent, at)
  }
  if (open !== '' && partial.length > pieceLength && !continues(isQuote, partial)) {
    return { blocks: { ...noBlocks, partial, inList: blocks.inList }, whole: close(blocks) }
  }
  // Later text cannot change the result.
  const body = (open + partial.slice(0, 2 * longest)).slice(0, 2 * longest)
  const head = headOf(blocks, body)
  const at =
    head === ''
      ? rowCut(body, { columns: columns - (rest?.indent ?? 0), rows }, lastClean)
      : lineCut(body, head)
  return at === undefined ? undefined : cutAt(blocks, { at, head })
}

/** Returns the first two lines of a table; empty if the text is not a table. */
function headOf({ rest }: Blocks, body: string): string {
  if (rest !== undefined) return rest.prefix.includes('\n') ? rest.prefix : ''
  const [first = '', second = ''] = body.split('\n', 2)
  return first.includes('|') && /^[\s:|-]*-[\s:|-]*$/.test(second) ? `${first}\n${second}\n` : ''
}

/** Finds a row at which to cut a table that is too long. */
function lineCut(body: string, head: string): number | undefined {
  if (body.length < longest) return undefined
  const at = body.lastIndexOf('\n', pieceLength) + 1
  return at > head.length ? at : undefined
}

/** Finds the start of a row in the first half of a text that is too tall or too long. */
function rowCut(
  text: string,
  { columns, rows }: BlockSize,
  choose: (body: string, starts: readonly number[]) => number | undefined,
): number | undefined {
  const body = text.slice(0, 2 * longest)
  const isLong = body.length >= longest
  // The text may become a table.
  if (!isLong && /^\s*\|/.test(body)) return undefined
  const starts = rowStarts(body, Math.max(1, columns), (count, at) => count <= rows && at < longest)
  const isHigh = starts.length > rows
  const half = starts.filter((at, i) => at <= pieceLength && (!isHigh || i <= Math.ceil(rows / 2)))
  const chosen = isHigh || isLong ? choose(body, half) : undefined
  return chosen ?? (isLong ? starts.findLast((at) => at > 0 && at <= pieceLength) : undefined)
}

function firstHalf(_: string, starts: readonly number[]): number | undefined {
  return starts.findLast((at) => at > 0)
}

/** Lists the index at which each row of a text begins, while `isWanted` holds. */
function rowStarts(
  body: string,
  columns: number,
  isWanted: (count: number, at: number) => boolean,
): number[] {
  const starts: number[] = []
  for (let at = 0; at < body.length && isWanted(starts.length, at); ) {
    starts.push(at)
    const lineEnd = body.indexOf('\n', at)
    const line = body.slice(at, lineEnd === -1 ? body.length : lineEnd)
    const next = skipSpaces(line, rowEnd(line, 0, columns))
    at += next < line.length ? next : line.length + 1
  }
  return starts
}

/** Returns the last index that begins a word and at which no inline markup is open. */
function lastClean(body: string, starts: readonly number[]): number | undefined {
  const open = { code: 0, star: 0, dash: 0, strike: 0, bracket: 0 }
  let last: number | undefined
  for (const [i, at] of starts.entries()) {
    if (i === 0) continue
    const row = body.slice(starts[i - 1], at)
    open.code += count(row, /`+/g)
    open.star += count(row, /\*+/g)
    open.dash += count(row, /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu)
    open.strike += count(row, /~~/g)
    open.bracket += count(row, /\[/g) - count(row, /\]/g)
    const isClosed = [open.code, open.star, open.dash, open.strike].every((number) => number % 2 === 0)
    if (isClosed && open.bracket === 0 && /^\s\p{L}/u.test(body.slice(at - 1, at + 2))) last = at
  }
  return last
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function cutCode(blocks: Blocks, indent: number, at: number): BlockStep {
  const { partial } = blocks
  const { blocks: after, whole } = addLine(blocks, partial.slice(0, at))
  return { blocks: { ...after, partial: partial.slice(at), rest: { indent, prefix: '' } }, whole }
}

interface Cut {
  readonly at: number
  /** The head of a table. */
  readonly head: string
}

function cutAt(blocks: Blocks, { at, head }: Cut): BlockStep {
  const { open, partial } = blocks
  const piece = open.slice(0, at) + partial.slice(0, Math.max(0, at - open.length))
  const begun = beginning(blocks, piece)
  const whole = close(begun)
  return {
    blocks: {
      ...noBlocks,
      open: open.slice(at),
      lines: Math.max(0, blocks.lines - count(piece, /\n/g)),
      partial: partial.slice(Math.max(0, at - open.length)),
      isQuote: begun.isQuote,
      inList: begun.inList,
      rest: begun.rest ?? restOf(begun, head, whole[0]?.text ?? ''),
    },
    whole,
  }
}

/** Returns the piece as an open block of its own. */
function beginning(blocks: Blocks, piece: string): Blocks {
  const open = piece.endsWith('\n') ? piece : `${piece}\n`
  if (blocks.open !== '' || blocks.rest !== undefined) return { ...blocks, open }
  const [first = ''] = piece.split('\n', 1)
  const { blocks: begun } = addLine(blocks, first)
  return { ...begun, gap: blocks.gap, open }
}

function restOf({ open, inList, isQuote }: Blocks, head: string, text: string): Rest {
  const indent = inList ? open.search(/\S/) : 0
  const [, mark] = /^\s*([-*+]|\d{1,9}[.)])\s/.exec(open.slice(0, 200)) ?? []
  const hang = mark === undefined || !inList ? 0 : mark.length + 1
  const columns = head === '' || isQuote ? undefined : tableColumns(text)
  return { indent: indent + hang, prefix: isQuote ? '> ' : head, columns }
}
