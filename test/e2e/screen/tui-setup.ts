import type { ScreenSize } from '../../support/terminals/screen.ts'

export const text = (words: string) => ({ type: 'text', text: words }) as const
export const medium: ScreenSize = { columns: 80, rows: 24 }
/** Sequences that erase the screen or its scrollback. */
export const wipes = ['\u001b[2J', '\u001b[3J', '\u001bc']
export const counted = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}.\n\n`).join('')
