import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

for (const name of [
  'startup',
  'oneshot',
  'session',
  'stream',
  'burst',
  'judge',
  'tools',
  'sandbox',
  'checkpoint',
  'loop',
  'each',
  'tui',
  'long',
  'complete',
  'recall',
  'vectors',
  'tasks',
  'worker',
  'serve',
  'mcp',
  'lsp',
]) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.js`)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
