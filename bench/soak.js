import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { load } from './module.js'
import { cpuSeconds, judge, makeHome, program } from './process.js'
import { open } from './screen.js'

// Soaks the terminal UI. `--calls N`: one conversation of N calls, in turns of a hundred; the cost of a call must not grow.
// `--idle SECONDS`: an idle program must use no CPU. 0 skips a part.

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, idle: { type: 'string', default: '600' } },
})
const [calls, idleSeconds] = [Number(values.calls), Number(values.idle)]
const perTurn = 100

const { startFakeServer } = await load('test/support/models/fake-server.ts')
const { replyEvents } = await load('test/support/vendors/chat-sse.ts')

/** The project's files: one to read, and one with a number to edit. */
const line = 'const answer = "how long it takes to find one line of many and to change it"\n'
const rows = Array.from({ length: 200 }, (_, i) => `row ${i} ${line}`).join('')
const numbered = (number) => `${line.repeat(40)}let last = ${number}\n`

/** Returns the calls of one round: alternates between two pairs. */
function callsOf(round) {
  const read = ['read', { path: 'rows.ts', offset: 1 + (round % 150), limit: 30 }]
  const grep = ['grep', { pattern: `row ${round % 200}\\b` }]
  const bash = ['bash', { command: `seq ${round} ${round + 40}` }]
  const change = {
    old_text: `let last = ${editsBefore(round)}\n`,
    new_text: `let last = ${editsBefore(round) + 1}\n`,
  }
  const edit = ['edit', { path: 'number.ts', ...change }]
  const kinds = [
    [read, ['read', { path: 'number.ts' }]],
    [edit, bash],
    [read, grep],
    [bash, grep],
  ]
  return kinds[round % kinds.length]
}

/** Counts the edits before a round: every fourth round edits, from the second on. */
const editsBefore = (round) => Math.floor((round + 2) / 4)

/** Creates a model with a window of 32,000 tokens that makes `calls` calls, `perTurn` per turn. Without tools it summarises. */
function createModel(calls) {
  const model = { rounds: 0, summaries: 0 }
  const blocksFor = ({ tools, messages }) => {
    if (tools === undefined) {
      model.summaries++
      return [{ type: 'text', text: 'This and that was looked at and changed. '.repeat(20) }]
    }
    const isAsked = messages.at(-1).role === 'user'
    const made = model.rounds * 2
    if (made >= calls || (!isAsked && made % perTurn === 0)) return [{ type: 'text', text: 'That was all.' }]
    const round = model.rounds++
    const named = callsOf(round).map(([name, args], i) => ({
      name,
      arguments: args,
      id: `call_${round}_${i}`,
    }))
    return [
      { type: 'text', text: `Step ${round}: let me look at **that** and \`change\` it.` },
      ...named.map((call) => ({ type: 'tool_call', ...call })),
    ]
  }
  model.answer = ({ body }, response) => {
    const prompt = Math.ceil(JSON.stringify(body.messages).length / 4)
    const usage = { prompt_tokens: prompt, completion_tokens: 50, total_tokens: prompt + 50 }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(replyEvents(blocksFor(body), { usage }).join(''))
  }
  return model
}

/** Returns the CPU seconds and wake-ups so far, and the resident megabytes now and at their peak. */
function usageOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const numberOf = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1])
  return {
    cpu: cpuSeconds(pid),
    wakeups: numberOf('voluntary_ctxt_switches'),
    rss: numberOf('VmRSS') / 1024,
    peak: numberOf('VmHWM') / 1024,
  }
}

/** Runs the program on a terminal with a model that makes `calls` calls, until `use` resolves. */
async function withScreen(calls, use) {
  const model = createModel(calls)
  const server = await startFakeServer(...Array(3 * calls + 100).fill(model.answer))
  const models = { 'bench/m': { context_window: 32_000 } }
  const setup = makeHome(new URL(server.baseUrl).origin, { models })
  const work = join(setup.home, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'rows.ts'), rows)
  writeFileSync(join(work, 'number.ts'), numbered(0))
  const screen = open(process.execPath, [program, '-m', 'bench/m', '--yolo'], { home: work, env: setup.env })
  try {
    await screen.until('›')
    await use(screen, model)
    judge('soak: requests that a server would refuse', server.violations.length, 0, '')
    const wrong = readFileSync(join(work, 'number.ts'), 'utf8') !== numbered(editsBefore(model.rounds))
    judge('soak: missing edits', Number(wrong), 0, '')
    screen.child.write('\u0004')
    judge('soak: exit code', await screen.ended, 0, '')
  } finally {
    screen.child.kill('SIGKILL')
    await server.close()
    setup.remove()
  }
}

async function takeTurn(screen) {
  screen.child.write('go on\r')
  await screen.until('That was all.')
}

/** Returns the cost of one call of a turn: milliseconds of CPU, and bytes written to the terminal. */
async function measureTurn(screen) {
  const { pid } = screen.child
  const [before, bytes] = [usageOf(pid), screen.bytes]
  await takeTurn(screen)
  return {
    cpuMs: ((usageOf(pid).cpu - before.cpu) * 1000) / perTurn,
    bytes: (screen.bytes - bytes) / perTurn,
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Divides the mean of the last quarter of the values by that of the first. */
function growth(values) {
  const quarter = Math.ceil(values.length / 4)
  return mean(values.slice(-quarter)) / mean(values.slice(0, quarter))
}

async function work(screen, model) {
  const turns = []
  while (turns.length < calls / perTurn) turns.push(await measureTurn(screen))
  const { cpuMs, bytes } = turns.at(-1)
  const made = `${model.rounds * 2} calls, ${model.summaries} summaries`
  console.log(`soak: ${made}; the last ones ${cpuMs.toFixed(1)} ms of CPU and ${bytes.toFixed(0)} bytes each`)
  judge('soak: resident memory at most', usageOf(screen.child.pid).peak, 400, ' MB')
  judge('soak: CPU per call, last quarter / first', growth(turns.map((turn) => turn.cpuMs)), 3, 'x')
  judge('soak: bytes per call, last quarter / first', growth(turns.map((turn) => turn.bytes)), 1.5, 'x')
}

/** V8 collects garbage after eight idle seconds, sometimes in several steps. Waits longer than that. */
const quietMs = 9_000

/** Waits until the program has been idle for a while, or the time is up. */
async function settle({ pid }) {
  for (let i = 0; i < 5; i++) {
    const before = usageOf(pid)
    await wait(quietMs)
    if (usageOf(pid).wakeups === before.wakeups) return
  }
}

async function idle(screen) {
  await takeTurn(screen)
  await settle(screen.child)
  const before = usageOf(screen.child.pid)
  const quarters = []
  for (let quarter = 0; quarter < 4; quarter++) {
    const { wakeups } = usageOf(screen.child.pid)
    await wait((idleSeconds / 4) * 1_000)
    quarters.push(usageOf(screen.child.pid).wakeups - wakeups)
  }
  const after = usageOf(screen.child.pid)
  judge('idle: share of a core', ((after.cpu - before.cpu) / idleSeconds) * 100, 0.5, ' %')
  // A timer wakes the program in each quarter, and V8's last collections, which a busy machine puts off, in some.
  judge('idle: wake-ups per second', Math.min(...quarters) / (idleSeconds / 4), 0.5, '')
  judge('idle: resident memory after / before', after.rss / before.rss, 1.01, 'x')
}

if (calls > 0) await withScreen(calls, work)
if (idleSeconds > 0) await withScreen(0, idle)
