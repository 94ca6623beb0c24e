import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'

// Runs `warm.js` with these arguments on a terminal, and quits at the prompt.

const child = spawn(process.execPath, [join(import.meta.dirname, 'warm.js'), ...process.argv.slice(2)], {
  env: { ...process.env, TERM: 'xterm-256color' },
})
let seen = ''
child.onData((data) => {
  seen += data
  if (data.includes('›')) child.write('\x04')
})
child.onExit(({ exitCode }) => {
  if (exitCode !== 0) console.error(seen)
  process.exitCode = exitCode
})
