import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { palettes, shownPalette } from './picture.ts'
import type { ScreenRun, ScreenSize } from './screen.ts'

/** The sizes at which screens are kept. */
export const goldenSizes: readonly ScreenSize[] = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
]

/** A longer time cuts more of the text before it, two words at most, and has fewer spaces before it. */
function withoutCut(text: string): string {
  const uncut = text.replace(/(?:\S+ ){0,2}\S*… +(?=.*TIME$)/gm, '…  ')
  return uncut.replace(/^.*TIME$/gm, (row) => row.replace(/(?<=\S) {2,}/g, '  '))
}

/** Waits until the text has stayed the same for a while: a frame arrives in pieces. */
async function settled(shown: () => string): Promise<void> {
  let last = shown()
  let looks = 0
  const countOfSame = () => {
    const now = shown()
    looks = now === last ? looks + 1 : 0
    last = now
    return looks
  }
  await expect.poll(countOfSame).toBeGreaterThan(20)
}

/** Replaces what differs from run to run, and removes what only a slow machine shows. */
function lasting(text: string): string {
  const kept = text
    // A longer time at the right has fewer spaces before it.
    .replace(/ {2,}(\d+ m )?\d+(\.\d+)? m?s$/gm, (time) => `  ${'TIME'.padStart(time.length - 2)}`)
    .replace(/(\d+ m )?\d+(\.\d+)? m?s\b/g, 'TIME')
    .replace(/^ {2}✓ TIME\n\n/gm, '')
    .replace(/^ +changes here cannot be undone: saving the files took longer than TIME\n\n?/gm, '')
    .replace(/[\u2800-\u28ff]/g, '⠋')
    .replace(/^( *pipe +)\d\S*/gm, '$1VERSION')
    // The size of the first request, and of a session, depend on the machine.
    .replace(/^( *context +)[\d.]+k? tokens/gm, '$1COUNT tokens')
    .replace(/\d\.\d kB$/gm, 'X.X kB')
    // Elves that start side by side are named in any order.
    .replace(/\be\d\b/g, 'eN')
    .replace(/[0-9a-f]{8}-[0-9a-f\n-]{27,28}/g, 'SESSION')
  return `${kept}\n`
}

/** Returns the text from the top of the screen, and from rows close to it: frames that were drawn before tell how far it scrolled. */
function scrolled(screen: ScreenRun): readonly string[] {
  const rows = screen.history().split('\n')
  const top = rows.length - screen.text().split('\n').length
  const starts = [0, 1, -1, 2, -2].map((shift) => top + shift).filter((start) => start >= 0)
  return starts.map((start) => lasting(rows.slice(start).join('\n')))
}

/** Waits until the screen equals the golden file of this name, apart from times, ids and two rows of scrolling. */
export async function expectScreen(
  { columns, rows }: ScreenSize,
  name: string,
  screen: ScreenRun,
): Promise<void> {
  const path = join(import.meta.dirname, `../../golden/screens/${name}-${columns}x${rows}.txt`)
  if (process.env['UPDATE'] === '1') {
    const shown = () => lasting(screen.text())
    await settled(shown)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, shown())
  }
  const golden = withoutCut(readFileSync(path, 'utf8'))
  const closest = () => {
    const texts = scrolled(screen).map(withoutCut)
    return texts.find((text) => text === golden) ?? texts[0]
  }
  await expect.poll(screen.looking(closest)).toBe(golden)
  const folder = process.env['PIPE_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const palette = shownPalette()
  const picture = screen.picture(`${name} at ${columns} x ${rows}`, palettes[palette])
  writeFileSync(join(folder, `${name}-${columns}x${rows}-${palette}.svg`), picture)
}
