import { Static } from 'ink'
import { isPlain } from '../rows/columns.ts'
import { type Line, lineText, paint } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'
import { RowText } from './rows.tsx'
import { useScene } from './scene.ts'

/** Writes finished rows above the live ones. Each batch has a list of its own, so that none grows with the conversation. */
export function FinishedRows() {
  const { finished, batch, theme } = useScene()
  return (
    <Static key={batch} items={inBlocks(finished, theme)}>
      {(text, i) => <RowText key={i} text={text} />}
    </Static>
  )
}

/**
 * Paints rows, and joins those whose width Ink measures as we do: laying out each row by itself would take most of a batch's time. Ink
 * would cut a text of several rows to one if one of them were too wide.
 */
function inBlocks(rows: readonly Line[], theme: Theme): string[] {
  const blocks: string[] = []
  let isOpen = false
  for (const row of rows) {
    const text = paint(row, theme)
    const joins = isPlain(lineText(row))
    if (joins && isOpen) blocks.push(`${blocks.pop()}\n${text}`)
    else blocks.push(text)
    isOpen = joins
  }
  return blocks
}
