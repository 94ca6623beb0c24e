import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into a program with `--import`: measures each start of a program in it, from the call to its closed output, and prints the
// median in milliseconds to stderr.

const { spawn } = childProcess
const times = []

childProcess.spawn = (...given) => {
  const started = performance.now()
  const child = spawn(...given)
  child.on('close', () => times.push(performance.now() - started))
  return child
}
syncBuiltinESMExports()

process.on('exit', () => {
  const sorted = times.sort((a, b) => a - b)
  process.stderr.write(`spawns: ${sorted[Math.floor(sorted.length / 2)]}\n`)
})
