import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Seconds that a command may take, unless a step says otherwise. */
const usualLimit = 300
/** Milliseconds to wait for the rest of the output after the exit: a child left behind may hold the pipe for ever. */
const drainMs = 2_000

/**
 * Runs a command of the installed packages to its end, at the root. Returns its output and whether it succeeded. Ends it, with all
 * that it started, after `seconds`; then `isLate` is true.
 */
export function run([file, ...args], { seconds = usualLimit, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      output += `\n${file} ${args[0] ?? ''} was ended after ${seconds} s\n`
      endGroup(child)
    }, seconds * 1_000)
    const stop = () => {
      endGroup(child)
      process.exit(130)
    }
    process.once('SIGINT', stop)
    const finish = (code) => {
      clearTimeout(limit)
      process.off('SIGINT', stop)
      endGroup(child)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ output, ok: code === 0 && !isLate, isLate })
    }
    child.on('error', reject)
    child.on('close', finish)
    child.on('exit', (code) => setTimeout(finish, drainMs, code).unref())
  })
}

/** Kills a command and what it started. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
