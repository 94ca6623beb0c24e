import { spawn } from '@lydell/node-pty'

/** Each step waits for a text on the screen, then presses keys. */
const steps = [
  ['›', 'warm wor'],
  ['warm wor', '\x7f\x15'],
  ['', '\x04'],
]

/** Runs a program on a terminal, types a few keys, and quits at the empty prompt. Resolves to its exit code, and shows a failed run. */
export function typeKeys(file, args, options = {}) {
  const child = spawn(file, args, {
    ...options,
    env: { ...process.env, ...options.env, TERM: 'xterm-256color' },
  })
  const left = [...steps]
  let seen = ''
  child.onData((data) => {
    seen += data
    const [awaited, keys] = left[0] ?? []
    if (awaited === undefined || !seen.includes(awaited)) return
    left.shift()
    child.write(keys)
  })
  return new Promise((resolve) => {
    child.onExit(({ exitCode }) => {
      if (exitCode !== 0) console.error(seen)
      resolve(exitCode)
    })
  })
}
