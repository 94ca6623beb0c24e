import { setTimeout as wait } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'

/** A program on a pseudo terminal of 120 by 40; `until` waits for what it writes. */
export function open(file, args, place) {
  const child = spawn(file, args, {
    cols: 120,
    rows: 40,
    cwd: place.home,
    env: { ...place.env, TERM: 'xterm-256color' },
  })
  const screen = { child, bytes: 0, last: '', listeners: new Set() }
  child.onData((data) => {
    screen.bytes += Buffer.byteLength(data)
    screen.last = (screen.last + data).slice(-4000)
    for (const listener of screen.listeners) listener(data)
  })
  screen.until = async (text) => {
    while (!screen.last.includes(text)) await wait(20)
    screen.last = ''
  }
  return screen
}
