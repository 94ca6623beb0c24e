import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from '../model-server.js'
import { makeHome, median, program, run } from '../process.js'
import { printTable } from './table.js'

// Measures what one long conversation costs: to continue it by a message, to show it, to find a word in it. As whole processes.

const runs = 3
/** Has a process print its peak of resident memory in KiB at its end. */
const told = 'data:text/javascript,process.on("exit",()=>process._rawDebug(process.resourceUsage().maxRSS))'

/** Prints a row for each number of messages. */
export async function scaleConversation(counts) {
  const model = await startModelServer()
  const rows = []
  for (const count of counts) rows.push(await measure(count, model))
  model.close()
  printTable('One conversation (ms of whole processes)', rows)
}

async function measure(count, model) {
  const setup = makeHome(model.host)
  const id = randomUUID()
  const size = write(setup, id, count)
  const timed = async (...args) => {
    const all = []
    for (let i = 0; i < runs; i++) all.push((await run(process.execPath, [program, ...args], setup)).ms)
    return median(all)
  }
  const more = ['-r', id, '-m', 'bench/m', 'go on']
  const continued = await timed(...more)
  const { errors } = await run(process.execPath, ['--import', told, program, ...more], setup)
  const shown = await timed('sessions', 'show', id)
  await timed('recall', '-q', 'kiwi')
  const found = await timed('recall', '-q', 'kiwi')
  setup.remove()
  return {
    messages: count,
    'file, MB': size / 1e6,
    continue: continued,
    'its memory, MB': Number(errors.trim().split('\n').at(-1)) / 1_000,
    show: shown,
    search: found,
  }
}

/** Writes a session of messages of about 200 characters each. Returns its size in bytes. */
function write({ env, home }, id, count) {
  const at = new Date().toISOString()
  const content = [{ type: 'text', text: `${'some words of a talk '.repeat(9)}kiwi` }]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const messages = Array.from({ length: count }, (_, i) =>
    JSON.stringify(
      i % 2 === 0
        ? { type: 'user', id: randomUUID(), timestamp: at, content }
        : { type: 'assistant', id: randomUUID(), timestamp: at, content, stop_reason: 'end_turn', usage },
    ),
  )
  const head = { version: 1, id, system_prompt: 'You are pipe.', created_at: at, cwd: home }
  const lines = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)},\n`)
  const text = `{\n${lines.join('')}"messages": [\n${messages.join(',\n')}\n],\n"updated_at": ${JSON.stringify(at)}\n}\n`
  const folder = join(env.PIPE_HOME, 'sessions')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, `${id}.json`), text, { mode: 0o600 })
  return text.length
}
