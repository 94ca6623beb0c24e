import { join } from 'node:path'
import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, run } from './process.js'

// Compares what a hook adds to each call with a bare start of its program by the same process.

const few = 20
const many = 140
const runs = 5
const probe = join(import.meta.dirname, 'spawn-probe.js')

/** Returns the milliseconds of a run with a call a round, and those of a start of a program in it. */
async function timeRun(rounds, hooks) {
  const server = await startModelServer({
    rounds,
    callOf: (round) => ({ name: 'read', args: { path: 'a.txt', offset: round + 1, limit: 1 } }),
  })
  const setup = makeHome(server.host, { hooks })
  try {
    await run('/bin/sh', ['-c', `seq 1 ${rounds + 1} > a.txt`], setup)
    const args = ['--import', probe, program, '--yolo', '--no-session', '-m', 'bench/m', 'go']
    const { ms, errors } = await run(process.execPath, args, setup)
    return { ms, start: Number(/spawns: ([\d.]+)/.exec(errors)?.[1]) }
  } finally {
    server.close()
    setup.remove()
  }
}

/** Returns the milliseconds of a call: what starts and ends a run cancels out. */
async function timeCall(hooks) {
  const short = await timeRun(few, hooks)
  const long = await timeRun(many, hooks)
  return { ms: (long.ms - short.ms) / (many - few), start: long.start }
}

const command = { type: 'command', command: 'cat >/dev/null' }
const hooks = { PreToolUse: [{ matcher: 'Read', hooks: [command] }] }
const [without, within, starts] = [[], [], []]
for (let i = 0; i < runs; i++) {
  without.push((await timeCall({})).ms)
  const hooked = await timeCall(hooks)
  within.push(hooked.ms)
  starts.push(hooked.start)
}
const added = median(within) - median(without)
const bare = median(starts)
console.log(`hooks: a call with one adds ${added.toFixed(2)} ms, a bare start takes ${bare.toFixed(2)} ms`)
judge('hooks: added to a call / bare start', added / bare, 1.3, 'x')
