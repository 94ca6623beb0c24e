import type { World } from '../../support/programs/world.ts'
import { openScreen, type ScreenRun, type ScreenSize } from '../../support/terminals/screen.ts'

export const text = (words: string) => ({ type: 'text', text: words }) as const
export const medium: ScreenSize = { columns: 80, rows: 24 }
/** Sequences that erase the screen or its scrollback. */
export const wipes = ['\u001b[2J', '\u001b[3J', '\u001bc']
export const counted = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}.\n\n`).join('')

/** Opens a screen whose program starts only once these keys were typed, in the line editor of a shell or without one. */
export async function openTypedAhead(world: World, keys: string, isEdited = false): Promise<ScreenRun> {
  const [begin, end] = isEdited ? ['stty -icanon -icrnl; ', 'stty icanon icrnl; '] : ['', '']
  const line = `${begin}until [ -e go ]; do sleep 0.05; done; ${end}exec pipe`
  const screen = openScreen(world, line, medium)
  screen.type(keys)
  await screen.until(/^hello/m)
  await world.shell('touch go')
  return screen
}
