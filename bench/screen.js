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
  let look = () => undefined
  child.onData((data) => {
    screen.bytes += Buffer.byteLength(data)
    screen.last += data
    look()
    screen.last = screen.last.slice(-4000)
    for (const listener of screen.listeners) listener(data)
  })
  let isOver = false
  screen.ended = new Promise((resolve) => {
    child.onExit(({ exitCode }) => {
      isOver = true
      look()
      resolve(exitCode)
    })
  })
  screen.until = (text) =>
    new Promise((resolve, reject) => {
      look = () => {
        if (screen.last.includes(text)) {
          screen.last = ''
          resolve()
        } else if (isOver) reject(new Error(`the program ended without writing ${text}: ${screen.last}`))
        else return
        look = () => undefined
      }
      look()
    })
  return screen
}

/**
 * Presses a key, waits for its echo, and returns the milliseconds between. It takes the place of the last one, so that a frame which
 * draws both at once still changes something.
 */
export async function echoKey(screen) {
  const erased = screen.key === undefined ? '' : '\x7f'
  screen.key = screen.key === '¤' ? '§' : '¤'
  const pressed = performance.now()
  await new Promise((resolve) => {
    const seen = (data) => {
      if (!data.includes(screen.key)) return
      screen.listeners.delete(seen)
      resolve()
    }
    screen.listeners.add(seen)
    screen.child.write(`${erased}${screen.key}`)
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
