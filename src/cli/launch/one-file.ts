import { readFileSync, writeSync } from 'node:fs'
import { systemCode } from '../../files/system-error.ts'
import { versionLine } from '../version.ts'
import { closedVariable, ignoredVariable } from './launcher-variables.ts'

/** Returns a file of the system about this process; empty where the system has none. */
function facts(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}

/** A descriptor that closes at the start of a program cannot have been inherited: Bun opened it in place of a closed stdout. */
function isStdoutClosed(): boolean {
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(facts('fdinfo/1')) ?? []
  return (Number.parseInt(flags, 8) & 0o2_000_000) !== 0
}

/** The signals that the parent process set to be ignored, which Bun leaves so. */
function ignoredSignals(): readonly string[] {
  const [, mask = '0'] = /^SigIgn:\s*([\da-f]+)/m.exec(facts('status')) ?? []
  const bits = BigInt(`0x${mask}`)
  return ['HUP', 'INT', 'QUIT'].filter((_, at) => (bits >> BigInt(at)) & 1n)
}

/** Leaves to `openHost` what the shell lines of `bin/pipe.js` do. */
function noteStart(): void {
  const ignored = ignoredSignals()
  if (ignored.length > 0) process.env[ignoredVariable] = [process.pid, ...ignored].join(' ')
  if (isStdoutClosed()) process.env[closedVariable] = String(process.pid)
}

function printVersion(): void {
  try {
    if (isStdoutClosed()) process.exitCode = 1
    else writeSync(1, versionLine(true))
  } catch (error) {
    process.exitCode = systemCode(error) === 'EPIPE' ? 141 : 1
  }
}

/**
 * Starts the one-file build, as `bin/pipe.js` starts the package. `packageFolder` is the folder inside the executable that holds `dist`.
 * A version is printed without loading anything else.
 */
export async function startOneFile(packageFolder: string): Promise<void> {
  const [only, ...more] = process.argv.slice(2)
  if (more.length === 0 && (only === '--version' || only === '-V')) return printVersion()
  noteStart()
  const { main } = await import('../main.ts')
  await main({ packageFolder })
  const { isTerminal } = await import('../standard-output.ts')
  if (!(await isTerminal(0))) process.exit()
}
