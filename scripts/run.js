import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Runs a command of the installed packages to its end, at the root. Returns its output and whether it succeeded. */
export function run([file, ...args]) {
  return new Promise((resolve, reject) => {
    const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, ok: code === 0 }))
  })
}
