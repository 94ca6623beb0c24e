import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const room = join(import.meta.dirname, '../../../src/ink')

/** The files of the room that write bytes. */
function writers(): readonly string[] {
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  return files.filter((name) => /(?<!filter)\.write\(/.test(readFileSync(join(room, name), 'utf8'))).sort()
}

it('rows reach the terminal through the stream of Ink alone; the rest sets modes and the clipboard', () => {
  expect(writers()).toEqual([
    'paint/frame-stream.ts',
    'stage.ts',
    'tty/clipboard-query.ts',
    'tty/cursor-shape.ts',
    'tty/terminal-output.ts',
    'tty/terminal.ts',
  ])
})
