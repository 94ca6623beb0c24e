import { CodeLines } from '../code/code-lines.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { type Line, paint } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'
import type { Entry } from '../state.ts'
import { addText, type Block, type Blocks, close, endText, noBlocks } from './blocks.ts'
import { drawBlock } from './drawn-markdown.ts'
import { settledLength } from './settled-text.ts'

export interface MarkdownLook {
  readonly theme: Theme
  /** Columns of the terminal now. */
  columns(): number
  /** Called once, when the first code with a language is drawn. */
  loadSyntax(): Promise<Syntax>
}

/** The open block as far as it is drawn. */
interface Growth {
  /** Rows that are printed. */
  readonly rows: number
  /** Columns that they are made for, which hold until the block is whole. */
  readonly columns: number
  /** Length of the text from which on it is worth another look. */
  readonly next: number
}

/**
 * Draws a Markdown text while it streams. A row is drawn once, as soon as nothing that follows can change it: rows of a paragraph
 * one by one, a table when it is whole. A row costs the length of its block so far, up to a bound: O(delta) in all.
 */
export class StreamedMarkdown {
  readonly #look: MarkdownLook
  readonly #code = new CodeLines()
  #blocks = noBlocks
  #growth: Growth | undefined
  #syntax: Syntax | undefined
  #isFirst = true

  constructor(look: MarkdownLook) {
    this.#look = look
  }

  /** Adds a piece of the text. Returns the rows that are final now, each with its line end; a promise while code needs its highlighter. */
  add(delta: string): string | Promise<string> {
    const { blocks, whole } = addText(this.#blocks, delta)
    this.#blocks = blocks
    const needsSyntax = whole.some(({ type, language = '' }) => type === 'code' && language !== '')
    if (this.#syntax !== undefined || !needsSyntax) return this.#finish(whole) + this.#grow()
    return this.#look.loadSyntax().then((syntax) => {
      this.#syntax = syntax
      return this.#finish(whole) + this.#grow()
    })
  }

  /** Ends the text and returns its last rows. Another text may follow. */
  end(): string {
    const rows = this.#finish(endText(this.#blocks))
    this.#blocks = noBlocks
    this.#growth = undefined
    this.#isFirst = true
    return rows
  }

  /** Prints what is left of whole blocks. */
  #finish(whole: readonly Block[]): string {
    if (whole.length === 0) return ''
    const { rows: grown, columns } = this.#growth ?? { rows: 0, columns: this.#look.columns() }
    const rows = this.#draw(whole, columns)
    this.#growth = grown > rows.length ? { rows: grown - rows.length, columns, next: 0 } : undefined
    this.#isFirst = false
    return this.#print(rows.slice(grown))
  }

  /** Prints the rows of the open block that its settled text fills. */
  #grow(): string {
    const { rows: grown, columns, next } = this.#growth ?? { rows: 0, columns: this.#look.columns(), next: 0 }
    const { open, partial } = this.#blocks
    const length = open.length + partial.length
    if (length < Math.max(next, columns) || !growsByRows(this.#blocks)) return ''
    const rows = this.#draw(endedAt(this.#blocks, settledLength(open + partial)), columns).slice(grown, -1)
    this.#growth = { rows: grown + rows.length, columns, next: length + columns / 2 + length / 20 }
    return this.#print(rows)
  }

  #draw(blocks: readonly Block[], columns: number): readonly Line[] {
    const entries = blocks.map((block, i): Entry => {
      const first = this.#isFirst && i === 0
      return { type: 'block', block: first ? { ...block, gap: false } : block, first }
    })
    return entries.flatMap((_, i) => {
      const entry = this.#code.dressed(entries, i, this.#syntax)
      return entry?.type === 'block' ? drawBlock(entry.block, columns, this.#syntax) : []
    })
  }

  #print(rows: readonly Line[]): string {
    return rows.map((row) => `${paint(row, this.#look.theme)}\n`).join('')
  }
}

/** Whether the open block has rows that stay as they are: code comes in whole lines, and each row of a table may widen it. */
function growsByRows({ fence, open, partial }: Blocks): boolean {
  const [first = ''] = (open || partial).split('\n', 1)
  return fence === undefined && !first.includes('|')
}

/** Lists the blocks that the open text would be if it ended after this many characters. */
function endedAt(blocks: Blocks, length: number): readonly Block[] {
  const { open, partial } = blocks
  if (length <= open.length)
    return close({ ...blocks, open: length === 0 ? '' : `${open.slice(0, length)}\n` })
  return endText({ ...blocks, partial: partial.slice(0, length - open.length) })
}
