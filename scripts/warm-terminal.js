import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'

// Runs `warm.js` with these arguments on a terminal, types a few keys, and quits at the empty prompt. So the cache holds what the first
// keys need: compiling it then would delay them.

const child = spawn(process.execPath, [join(import.meta.dirname, 'warm.js'), ...process.argv.slice(2)], {
  env: { ...process.env, TERM: 'xterm-256color' },
})
/** Each step waits for a text on the screen, then presses keys. */
const steps = [
  ['›', 'warm wor'],
  ['warm wor', '\x7f\x15'],
  ['', '\x04'],
]
let seen = ''
child.onData((data) => {
  seen += data
  const [awaited, keys] = steps[0] ?? []
  if (awaited === undefined || !seen.includes(awaited)) return
  steps.shift()
  child.write(keys)
})
child.onExit(({ exitCode }) => {
  if (exitCode !== 0) console.error(seen)
  process.exitCode = exitCode
})
