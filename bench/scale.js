import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaleConversation } from './scale/conversation.js'
import { scaleSessions } from './scale/sessions.js'
import { scaleWatchers } from './scale/watchers.js'
import { scaleWorkers } from './scale/workers.js'

// Prints the figures of docs/scale.md. `node bench/scale.js PART COUNT…` prints one part, with other counts.

/** Writes a scripted model. Returns its path. */
function writeScript(folder, script) {
  const path = join(folder, 'script.json')
  writeFileSync(path, JSON.stringify(script))
  return path
}

const parts = {
  workers: [scaleWorkers, [1, 10, 100]],
  sessions: [scaleSessions, [10, 1_000, 10_000, 100_000]],
  watchers: [scaleWatchers, [10, 100, 1_000, 10_000]],
  conversation: [scaleConversation, [100, 1_000, 10_000, 100_000]],
}

const [, , only, ...counts] = process.argv
if (only !== undefined && !(only in parts))
  throw new Error(`no part ${only}: ${Object.keys(parts).join(', ')}`)
for (const [name, [scale, usual]] of Object.entries(parts)) {
  if (only !== undefined && only !== name) continue
  await scale(counts.length > 0 ? counts.map(Number) : usual, { writeScript })
}
