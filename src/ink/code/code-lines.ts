import type { Block } from '../markdown/blocks.ts'
import { type Line, line } from '../rows/line.ts'
import type { Entry } from '../state.ts'
import type { CodeLine, Syntax } from './code-syntax.ts'

/** Characters and lines that are highlighted at once. */
const batchLength = 8_000
const batchLines = 200

/** Characters of earlier lines that are highlighted with the next ones. */
const contextLength = 1_000

/**
 * Highlights the lines of code blocks in the order in which they are drawn. A line is highlighted together with those drawn
 * at the same time and a few before it, so its cost does not depend on the length of its block.
 */
export class CodeLines {
  /** Lines before the next one that its look depends on. */
  #context: readonly string[] = []
  /** The highlighted lines of the entries to come, in reverse. */
  #ahead: Line[] = []

  /** Returns the entry at this index with its colours if it is a line of code. */
  dressed(entries: readonly Entry[], index: number, syntax: Syntax | undefined): Entry | undefined {
    const entry = entries[index]
    const block = codeOf(entry)
    if (entry?.type !== 'block' || block === undefined || syntax === undefined) return entry
    if (block.opens === true) this.#context = []
    if (this.#ahead.length === 0) this.#ahead = this.#batch(entries, index, syntax)
    const spans = this.#ahead.pop()
    return spans === undefined ? entry : { ...entry, block: { ...block, spans } }
  }

  /** Highlights the lines of one code block from this index on. */
  #batch(entries: readonly Entry[], index: number, syntax: Syntax): Line[] {
    const texts: string[] = []
    let length = 0
    for (let at = index; texts.length < batchLines; at++) {
      const block = codeOf(entries[at])
      if (block === undefined || (at > index && block.opens === true)) break
      length += block.text.length
      if (at > index && length > batchLength) break
      texts.push(block.text)
    }
    const { language = '' } = codeOf(entries[index]) ?? {}
    const before = this.#context
    const all = [...before, ...texts]
    const lines = syntax.lines(all.join('\n'), language)
    this.#context = lines === undefined ? [] : contextOf(all, lines)
    const spans = lines?.slice(before.length).map((one) => one.spans)
    return (spans ?? texts.map((text) => line(text))).toReversed()
  }
}

function codeOf(entry: Entry | undefined): Block | undefined {
  return entry?.type === 'block' && entry.block.type === 'code' ? entry.block : undefined
}

/**
 * Returns the lines that later ones depend on: the last few, from one that begins outside strings and comments. In a longer
 * string or comment, the line that opens it.
 */
function contextOf(texts: readonly string[], lines: readonly CodeLine[]): readonly string[] {
  let [first, length] = [texts.length, 0]
  for (let at = texts.length - 1; at >= 0; at--) {
    length += (texts[at]?.length ?? 0) + 1
    if (length > contextLength) break
    if (at === 0 || lines[at - 1]?.isOpen === false) first = at
  }
  if (first < texts.length) return texts.slice(first)
  if (lines.at(-1)?.isOpen !== true) return []
  const closed = lines.findLastIndex(({ isOpen }, at) => at < lines.length - 1 && !isOpen)
  const opener = texts[closed + 1]
  return opener === undefined || opener.length > contextLength ? [] : [opener]
}
