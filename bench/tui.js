import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chunk } from './model-server.js'
import { cpuSeconds, judge, makeHome, program } from './process.js'
import { echoKey, open } from './screen.js'

// Measures streaming in the terminal UI at 500 deltas a second for 10 s, after 50 and after 5,000 items of transcript: CPU and bytes per
// delta, and the time from a key to its echo, minus that of the pseudo terminal.

const perSecond = 500
const seconds = 10
const words =
  'The parser reads one token at a time and keeps a small stack of open nodes, so memory stays bound.\n\n'

const delta = (content) => chunk({ content })
const end = `${chunk({}, 'stop')}data: [DONE]\n\n`

/** Answers "items N" with N paragraphs at once, and anything else with the stream to measure. */
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(404).end()
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const prompt = JSON.stringify(JSON.parse(body).messages.at(-1).content)
    const [, items] = /items (\d+)/.exec(prompt) ?? []
    if (items === undefined) await stream(response)
    else response.write(delta(Array.from({ length: Number(items) }, (_, i) => `item ${i}\n\n`).join('')))
    response.end(`${delta(items === undefined ? 'Streamed.' : 'Listed.')}${end}`)
  })
})

async function stream(response) {
  const began = performance.now()
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (; sent < due; sent++) response.write(delta(words.slice((sent * 4) % 100, ((sent * 4) % 100) + 4)))
    await wait(10)
  }
}

/** Presses keys until `isOver`. Returns the milliseconds from each key to its echo. */
async function echoes(screen, isOver) {
  const times = []
  while (!isOver()) {
    times.push(await echoKey(screen))
    await wait(100)
  }
  return times.sort((a, b) => a - b)
}

/** Measures one stream after a transcript of `items`. With `typing`, presses keys meanwhile. */
async function measure(items, typing = false) {
  const screen = open(process.execPath, [program, '-m', 'bench/m'], setup)
  await screen.until('›')
  screen.child.write(`items ${items}\r`)
  await screen.until('Listed.')
  await wait(500)
  const before = { cpu: cpuSeconds(screen.child.pid), bytes: screen.bytes }
  let isOver = false
  screen.child.write('stream\r')
  await wait(500)
  const typed = typing ? echoes(screen, () => isOver) : []
  await screen.until('Streamed.')
  isOver = true
  const used = cpuSeconds(screen.child.pid) - before.cpu
  const times = await typed
  screen.child.kill('SIGKILL')
  return {
    share: (used / seconds) * 100,
    bytes: (screen.bytes - before.bytes) / (perSecond * seconds),
    times,
  }
}

/** Measures how long a terminal alone takes to echo a key. */
async function floor() {
  const screen = open('cat', [], setup)
  const until = performance.now() + 2000
  const times = await echoes(screen, () => performance.now() > until)
  screen.child.kill('SIGKILL')
  return times
}

const p95 = (times) => times[Math.floor(times.length * 0.95)]

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const setup = makeHome(`http://127.0.0.1:${server.address().port}`)
const bare = await floor()
const few = await measure(50)
const many = await measure(5000)
const typing = await measure(50, true)
setup.remove()
server.close()
judge('tui: share of a core after 50 items', few.share, 17, ' %')
judge('tui: share of a core after 5,000 items', many.share, 17, ' %')
judge('tui: bytes per delta after 50 items', few.bytes, 12, '')
judge('tui: bytes per delta after 5,000 items', many.bytes, 12, '')
judge(
  'tui: key to echo while streaming, p95 minus that of the bare terminal',
  p95(typing.times) - p95(bare),
  8,
  ' ms',
)
process.exit()
