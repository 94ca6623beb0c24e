import { setTimeout as wait } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { program, startWords } from './process.js'

/** A program on a pseudo terminal of 120 by 40. `until` waits for its output, and `ended` for its end. */
export function open(file, args, setup) {
  const child = spawn(file, args, {
    cols: 120,
    rows: 40,
    cwd: setup.home,
    env: { ...setup.env, TERM: 'xterm-256color' },
  })
  const screen = { child, bytes: 0, last: '', listeners: new Set() }
  child.onData((data) => {
    screen.bytes += Buffer.byteLength(data)
    screen.last = (screen.last + data).slice(-4000)
    for (const listener of screen.listeners) listener(data)
  })
  let isOver = false
  screen.ended = new Promise((resolve) => {
    child.onExit(({ exitCode }) => {
      isOver = true
      resolve(exitCode)
    })
  })
  screen.until = async (text) => {
    while (!screen.last.includes(text)) {
      if (isOver) throw new Error(`the program ended without writing ${text}: ${screen.last}`)
      await wait(20)
    }
    screen.last = ''
  }
  return screen
}

/** Presses a key, waits for its echo, and returns the milliseconds between. */
export async function echoKey({ child, listeners }) {
  const pressed = performance.now()
  await new Promise((resolve) => {
    const seen = (data) => {
      if (!data.includes('¤')) return
      listeners.delete(seen)
      resolve()
    }
    listeners.add(seen)
    child.write('¤')
  })
  return performance.now() - pressed
}

/** Returns the milliseconds from the start of the terminal UI to its prompt. */
export async function firstFrame(setup) {
  const started = performance.now()
  const [file, ...args] = startWords([program, '-m', 'bench/m'])
  const { child, listeners } = open(file, args, setup)
  await new Promise((resolve) => {
    listeners.add((data) => {
      if (data.includes('›')) resolve()
    })
  })
  const ms = performance.now() - started
  child.kill('SIGKILL')
  await new Promise((resolve) => child.onExit(resolve))
  return ms
}
