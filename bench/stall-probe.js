import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// Preloaded into a program with `--import`: on SIGUSR2, writes the longest time in milliseconds for which its event loop stood still
// since the last such signal, to the file that STALL_FILE names.

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env.STALL_FILE, String(delay.max / 1e6))
  delay.reset()
})
