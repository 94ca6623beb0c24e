import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { ScreenRun, ScreenSize } from './screen.ts'

/** The sizes at which screens are kept. */
export const goldenSizes: readonly ScreenSize[] = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
]

/** A longer time cuts more of the name before it. */
function withoutCut(text: string): string {
  return text.replace(/\S*…(?= +TIME)/g, '…')
}

/** Waits until the screen equals the golden file of this name, apart from times and ids. */
export async function expectScreen(
  { columns, rows }: ScreenSize,
  name: string,
  screen: ScreenRun,
): Promise<void> {
  const path = join(import.meta.dirname, `../golden/screens/${name}-${columns}x${rows}.txt`)
  const shown = () => {
    const text = screen
      .text()
      .replace(/\d+(\.\d+)? m?s\b/g, 'TIME')
      // Elves that start side by side are named in any order.
      .replace(/\be\d\b/g, 'eN')
      .replace(/[0-9a-f]{8}-[0-9a-f\n-]{27,28}/, 'SESSION')
    return `${text}\n`
  }
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, shown())
  }
  await expect.poll(() => withoutCut(shown())).toBe(withoutCut(readFileSync(path, 'utf8')))
}
