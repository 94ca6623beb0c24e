import { Box, Text } from 'ink'
import { memo } from 'react'
import { type Line, paint } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'
import { cursorIn } from '../tty/cursor.ts'
import { useCaret } from './caret.ts'

export interface RowsProps {
  /** None may be wider than the screen. */
  readonly lines: readonly Line[]
  readonly theme: Theme
  /** Whether the terminal's cursor stands where the user writes in them. Default: false. */
  readonly hasCaret?: boolean
}

/** Shows rows below each other. */
export function Rows({ lines, theme, hasCaret = false }: RowsProps) {
  const box = useCaret(hasCaret ? cursorIn(lines) : undefined)
  return (
    <Box ref={box} flexDirection="column" flexShrink={0}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands there
        <RowText key={i} text={paint(line, theme)} />
      ))}
    </Box>
  )
}

/** Shows a row of painted text, or several with line breaks. It is cut to the screen already, so Ink must not wrap it. */
export const RowText = memo(function Row({ text }: { readonly text: string }) {
  // Text without characters has no height.
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
})
