import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startModelServer } from './model-server.js'
import { load } from './module.js'
import { judge, makeHome, median, program, time } from './process.js'
import { firstFrame } from './screen.js'

// Measures what MCP servers cost: a call over stdio beyond the server's own time, a start where five are configured, and the tokens of a
// thousand tools that a prompt does not hold.

const script = join(import.meta.dirname, '..', 'test', 'support', 'mcp', 'odd-server.js')
const calls = 300
const runs = 15

/** Returns the median milliseconds of a call that is written and read by hand. */
async function bareCall() {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id) => {
    const params = { name: 'work', arguments: {} }
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
    await lines.next()
  }
  const ms = await medianOf(ask)
  child.kill()
  return ms
}

async function medianOf(act) {
  const times = []
  for (let i = -20; i < calls; i++) {
    const started = performance.now()
    await act(i + 100)
    if (i >= 0) times.push(performance.now() - started)
  }
  return median(times)
}

const { ManagedServer } = await load('src/mcp/managed-server.ts')
const { ServerPool } = await load('src/mcp/server-pool.ts')
const { createServerTools } = await load('src/mcp/server-tools.ts')
const { createCommandRunner } = await load('src/process/command-runner.ts')
const { systemClock: clock } = await load('src/cli/system-clock.ts')

/** Opens one odd server, with the tools that it is remembered to have. */
function openTools(folder, tools) {
  const commands = createCommandRunner({ clock })
  const server = {
    name: 'odd',
    access: { type: 'stdio', command: process.execPath, args: [script], env: {} },
  }
  const env = { PATH: process.env.PATH }
  const platform = { commands, clock, env, folder, version: '0', isAttended: false, clean: (text) => text }
  const memory = { recall: () => ({ era: 'legacy', tools }), keep: async () => undefined }
  const pool = new ServerPool([new ManagedServer({ server, hash: '' }, platform, memory)])
  const executor = createServerTools({ pool, spill: async () => '', newId: {} })
  const close = async () => {
    await pool.close()
    await commands.close()
  }
  return { executor, close }
}

async function ownCall(folder) {
  const { executor, close } = openTools(folder, {})
  const context = { signal: new AbortController().signal }
  const run = async (name, args) => {
    const running = executor.execute(name, args, context)
    let next = await running.next()
    while (!next.done) next = await running.next()
    if (next.value.isError) throw new Error(JSON.stringify(next.value.content))
  }
  await run('find_tools', { query: 'work' })
  const ms = await medianOf(() => run('mcp__odd__work', {}))
  await close()
  return ms
}

/** Returns the tokens that the search tool takes in a prompt, at four characters each. */
async function deferredTokens(folder) {
  const names = Array.from({ length: 1_000 }, (_, i) => [`do_the_thing_number_${i}`, ''])
  const { executor, close } = openTools(folder, Object.fromEntries(names))
  const [{ name, description, parameters }] = executor.tools()
  await close()
  return JSON.stringify({ name, description, parameters }).length / 4
}

const folder = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
judge('mcp: a call over stdio beyond the server', (await ownCall(folder)) - (await bareCall()), 3, ' ms')
judge('mcp: tokens of 1,000 deferred tools', await deferredTokens(folder), 200, '')
rmSync(folder, { recursive: true })

const model = await startModelServer()
const names = ['one', 'two', 'three', 'four', 'five']
const server = { command: process.execPath, args: [script] }
const none = makeHome(model.host)
const five = makeHome(model.host, { mcp_servers: Object.fromEntries(names.map((name) => [name, server])) })
const ratios = { oneShot: [], frame: [] }
for (let run = -1; run < runs; run++) {
  const args = [program, '-m', 'bench/m', 'say ok']
  const bare = { oneShot: await time(args, none), frame: await firstFrame(none) }
  const full = { oneShot: await time(args, five), frame: await firstFrame(five) }
  if (run < 0) continue
  ratios.oneShot.push(full.oneShot / bare.oneShot)
  ratios.frame.push(full.frame / bare.frame)
}
model.close()
none.remove()
five.remove()
// Half of what is above 1 is the hash that a server is remembered by: Node takes 4 ms to load it.
judge('mcp: one-shot with five servers / none', median(ratios.oneShot), 1.15, 'x')
judge('mcp: first frame with five servers / none', median(ratios.frame), 1.1, 'x')
process.exit()
