import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Builds the program once before the tests that run it, unless the build is newer than all its sources. */
export default function build(): void {
  if (process.env['PIPE_BIN'] !== undefined) return
  const built = statSync(join(root, 'dist/cli'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newest = Math.max(...['src', 'scripts', 'package.json'].map((name) => modified(join(root, name))))
  if (newest >= built) execFileSync(process.execPath, ['scripts/build.js'], { cwd: root, stdio: 'inherit' })
}

function modified(path: string): number {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => modified(join(path, name))))
}
