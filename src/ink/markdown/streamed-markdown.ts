import { CodeLines } from '../code/code-lines.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { paint } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'
import type { Entry } from '../state.ts'
import { addText, type Block, endText, noBlocks } from './blocks.ts'
import { drawBlock } from './drawn-markdown.ts'

export interface MarkdownLook {
  readonly theme: Theme
  /** Columns of the terminal now. */
  columns(): number
  /** Called once, when the first code with a language is drawn. */
  loadSyntax(): Promise<Syntax>
}

/** Draws a Markdown text while it streams: each block once, when it is whole. Costs O(delta) per delta. */
export class StreamedMarkdown {
  readonly #look: MarkdownLook
  readonly #code = new CodeLines()
  #blocks = noBlocks
  #syntax: Syntax | undefined
  #isFirst = true

  constructor(look: MarkdownLook) {
    this.#look = look
  }

  /** Adds a piece of the text. Returns the rows that are whole now, each with its line end; a promise while code needs its highlighter. */
  add(delta: string): string | Promise<string> {
    const { blocks, whole } = addText(this.#blocks, delta)
    this.#blocks = blocks
    const needsSyntax = whole.some(({ type, language = '' }) => type === 'code' && language !== '')
    if (this.#syntax !== undefined || !needsSyntax) return this.#draw(whole)
    return this.#look.loadSyntax().then((syntax) => {
      this.#syntax = syntax
      return this.#draw(whole)
    })
  }

  /** Ends the text and returns its last rows. Another text may follow. */
  end(): string {
    const rows = this.#draw(endText(this.#blocks))
    this.#blocks = noBlocks
    this.#isFirst = true
    return rows
  }

  #draw(whole: readonly Block[]): string {
    const { theme, columns } = this.#look
    const entries = whole.map((block, i): Entry => {
      const first = this.#isFirst && i === 0
      return { type: 'block', block: first ? { ...block, gap: false } : block, first }
    })
    if (whole.length > 0) this.#isFirst = false
    return entries
      .flatMap((_, i) => {
        const entry = this.#code.dressed(entries, i, this.#syntax)
        return entry?.type === 'block' ? drawBlock(entry.block, columns(), this.#syntax) : []
      })
      .map((row) => `${paint(row, theme)}\n`)
      .join('')
  }
}
