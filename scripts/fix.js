// Regenerates generated files, then formats and applies the linter's safe fixes.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

// The help is printed by the built program, which holds the schemas.
const commands = [
  [process.execPath, 'scripts/generate-tool-schemas.js'],
  [process.execPath, 'scripts/generate-checks.js'],
  [process.execPath, 'scripts/generate-settings.js'],
  [process.execPath, 'scripts/build.js'],
  [process.execPath, 'scripts/generate-help.js'],
  ['node_modules/.bin/biome', 'check', '--write', '.'],
]

for (const [file, ...args] of commands) {
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
