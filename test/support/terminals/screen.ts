import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { Terminal } from '@xterm/headless'
import { expect, onTestFinished } from 'vitest'
import type { World } from '../programs/world.ts'
import { type Palette, pictureOf, shownPalette } from './picture.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** A program on a terminal, read as the user sees it. */
export interface ScreenRun {
  /** Rows on the screen, without trailing space. */
  text(): string
  /** The scrollback and the screen. */
  history(): string
  /** The row and the column of the cursor on the screen, from 0. */
  cursor(): readonly [row: number, column: number]
  /** The screen as SVG. */
  picture(title: string, palette: Palette): string
  /** All bytes written to the terminal. */
  raw(): string
  /** Types bytes. */
  type(keys: string): void
  /** Waits until the screen matches. */
  until(pattern: RegExp): Promise<void>
  /** Makes a look, for `expect.poll`, wait for something new on the screen, at most a second: a failed one costs a millisecond. */
  looking<T>(look: () => T): () => Promise<T>
  resize(size: ScreenSize): void
  /** Stops reading what the program writes, or goes on with it. */
  hold(isHeld: boolean): void
  /** Resolves with the exit code when the program has ended. */
  readonly ended: Promise<number>
}

/** Reports the exit code through an escape sequence that terminals ignore, so that earlier output is not lost. */
const tellEnd = [
  'exec 3>&2 2>/dev/null',
  'trap : INT QUIT TSTP',
  'sh -c "$1" 2>&3 3>&-',
  `printf '\\033]9999;%s\\007' "$?"`,
  'exec sleep 1000000',
].join('\n')
const endMark = /\p{Cc}\]9999;(\d+)\p{Cc}$/u

/** Runs a line of sh, with `pipe` as the program, on a terminal of this size. */
export function openScreen(world: World, line: string, { columns, rows }: ScreenSize): ScreenRun {
  const emulator = new Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true })
  // As terminals tell the colours of their text and background.
  const look = {
    ...(shownPalette() === 'light' ? { COLORFGBG: '0;15' } : {}),
    ...(process.env['PIPE_PICTURES'] === undefined ? {} : { COLORTERM: 'truecolor' }),
  }
  const child = spawn('sh', ['-c', tellEnd, 'sh', line], {
    cols: columns,
    rows,
    cwd: world.cwd,
    env: { ...world.env, ...look, LANG: 'C.UTF-8', TERM: 'xterm-256color' },
  })
  let written = ''
  let over = false
  const drawings = new Drawings()
  const ended = new Promise<number>((resolve) => {
    child.onData((data) => {
      written += data
      const [, code] = endMark.exec(written.slice(-20)) ?? []
      // The emulator parses asynchronously.
      emulator.write(data, () => {
        drawings.add()
        if (code !== undefined) resolve(Number(code))
      })
    })
    child.onExit(() => {
      over = true
      resolve(128)
    })
  })
  // Sends the emulator's answers to the program.
  emulator.onData((data) => {
    if (!over) child.write(data)
  })
  onTestFinished(async () => {
    if (!over) child.kill('SIGKILL')
    await ended
    emulator.dispose()
  })
  const read = (from: number) => {
    const { active } = emulator.buffer
    const count = active.baseY + emulator.rows
    const lines = Array.from({ length: count - from }, (_, i) => active.getLine(from + i))
    const text = lines.map((line) => line?.translateToString(true).trimEnd() ?? '')
    return text.join('\n').trimEnd()
  }
  const text = () => read(emulator.buffer.active.baseY)
  const looking: ScreenRun['looking'] = (look) => {
    let seen = -1
    return async () => {
      seen = await drawings.after(seen)
      return look()
    }
  }
  return {
    text,
    history: () => read(0),
    cursor: () => [emulator.buffer.active.cursorY, emulator.buffer.active.cursorX],
    picture: (title, palette) => pictureOf(emulator, title, palette),
    raw: () => written.replace(endMark, ''),
    type: (keys) => child.write(keys),
    until: async (pattern) => {
      await expect.poll(looking(text)).toMatch(pattern)
    },
    looking,
    resize: (size) => {
      emulator.resize(size.columns, size.rows)
      drawings.add()
      child.resize(size.columns, size.rows)
    },
    hold: (isHeld) => (isHeld ? child.pause() : child.resume()),
    ended,
  }
}

/** Counts what was drawn on a screen. */
class Drawings {
  #count = 0
  readonly #waiting = new Set<() => void>()

  add(): void {
    this.#count++
    for (const go of this.#waiting) go()
    this.#waiting.clear()
  }

  /** Waits until there are more than `seen`, at most a second. Returns how many there are. */
  async after(seen: number): Promise<number> {
    const more = new Promise<void>((resolve) => this.#waiting.add(resolve))
    if (this.#count <= seen) await Promise.race([more, sleep(1_000, undefined, { ref: false })])
    return this.#count
  }
}

/** Runs the program until it accepts input. */
export async function openPrompt(world: World, size: ScreenSize, line = 'exec pipe'): Promise<ScreenRun> {
  const screen = openScreen(world, line, size)
  await screen.until(/^›/m)
  return screen
}

/** Does the same with a scripted model. */
export async function play(
  world: World,
  size: ScreenSize,
  rounds: readonly object[],
  line = 'exec pipe',
): Promise<ScreenRun> {
  await world.put('script.json', JSON.stringify({ version: 1, rounds }))
  await world.configure({ model: 'replay/script.json' })
  return openPrompt(world, size, line)
}
