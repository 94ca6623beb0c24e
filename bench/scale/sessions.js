import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { makeHome, median, program, run } from '../process.js'
import { writeSessions } from '../sessions.js'
import { printTable } from './table.js'

// Measures what a folder of many sessions costs: as whole processes, and on the disk.

/** Runs of each kind; of very many sessions, one. */
const runsOf = (count) => (count > 100_000 ? 1 : 5)
/** Sessions with texts of their own. The others repeat them. */
const different = 10_000
const round = { blocks: [{ type: 'text', text: 'Done.' }] }
const script = { version: 1, rounds: Array.from({ length: 10 }, () => round) }

/** Prints a row for each number of sessions. */
export async function scaleSessions(counts, { writeScript }) {
  const rows = []
  for (const count of counts) rows.push(await measure(count, writeScript))
  printTable('Sessions in one folder (ms of whole processes)', rows)
}

async function measure(count, writeScript) {
  const setup = makeHome('http://127.0.0.1:1')
  const folder = setup.env.PIPE_HOME
  fill(folder, count)
  const model = `replay/${writeScript(setup.home, script)}`
  const timed = async (...args) => (await run(process.execPath, [program, ...args], setup)).ms
  const often = async (...args) => {
    const all = []
    for (let i = 0; i < runsOf(count); i++) all.push(await timed(...args))
    return median(all)
  }
  const disk = sizeOf(`${folder}/sessions`)
  const indexed = await timed('recall', '-q', 'kater')
  // In the first two seconds after a change, the time of the folder may hide another.
  await wait(2_100)
  const search = await often('recall', '-q', 'katerka')
  await timed('-m', model, 'one more')
  const changed = await timed('recall', '-q', 'katerka')
  const row = {
    sessions: count,
    list: await often('sessions', '--all', '-n', '20'),
    'first search, which indexes': indexed,
    search,
    'search after a new session': changed,
    'a new run': await often('-m', model, 'hello'),
    'continue the newest': await often('-c', '-m', model, 'go on'),
    'sessions, MB': disk,
    'index, MB': sizeOf(`${folder}/recall`),
  }
  setup.remove()
  return row
}

function fill(folder, count) {
  writeSessions(folder, Math.min(count, different), { rounds: 1, until: Date.now() - 60_000 })
  const names = readdirSync(`${folder}/sessions`)
  const texts = names.map((name) => [name.slice(0, -5), readFileSync(`${folder}/sessions/${name}`, 'utf8')])
  for (let i = names.length; i < count; i++) {
    const [id, text] = texts[i % texts.length]
    const other = randomUUID()
    writeFileSync(`${folder}/sessions/${other}.json`, text.replace(id, other), { mode: 0o600 })
  }
}

/** Size on the disk of a folder's files in MB. */
function sizeOf(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(`${folder}/${name}`).blocks * 512, 0) / 1e6
}
