import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chunk } from './model-server.js'
import { cpuSeconds, judge, makeHome, median, program } from './process.js'
import { open } from './screen.js'

// Measures the CPU time that the terminal UI uses for 5,000 deltas which arrive at once, 4 characters each, in a conversation that has
// had such an answer before: the second answer minus what an answer of one delta costs.

const deltas = 5_000
const runs = 5
const words = `The parser reads one token at a time and keeps a small stack of open nodes, so memory stays bound.

- first check the input file for a byte order mark
- then split it into lines and **count** them, as \`totals\` does

\`\`\`ts
for (const line of lines) {
  const cells = line.split(',')
  totals.set(cells[0], (totals.get(cells[0]) ?? 0) + Number(cells[1]))
}
\`\`\`

`

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(404).end()
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const [, count = 0] = /say (\d+)/.exec(JSON.stringify(JSON.parse(body).messages.at(-1).content)) ?? []
    const all = Array.from({ length: Number(count) }, (_, i) => chunk({ content: delta(i) }))
    response.end(
      `${all.join('')}${chunk({ content: '\n\nThat was all.' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
    )
  })
})

/** Four characters of the words, which repeat. */
function delta(index) {
  const start = (index * 4) % words.length
  return words.slice(start, start + 4)
}

/** CPU milliseconds of one answer. */
async function answer(screen, count) {
  const before = cpuSeconds(screen.child.pid)
  screen.child.write(`say ${count}\r`)
  await screen.until('That was all.')
  await wait(500)
  return (cpuSeconds(screen.child.pid) - before) * 1_000
}

async function measure() {
  const screen = open(process.execPath, [...process.execArgv, program, '-m', 'bench/m'], setup)
  await screen.until('›')
  await wait(300)
  await answer(screen, 1)
  const first = await answer(screen, deltas)
  const later = await answer(screen, deltas)
  const one = await answer(screen, 1)
  if (process.env.PROFILE) {
    screen.child.write('\x03')
    await wait(100)
    screen.child.write('\x03')
    await screen.ended
  }
  screen.child.kill('SIGKILL')
  return { first: first - one, later: later - one }
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const setup = makeHome(`http://127.0.0.1:${server.address().port}`)
const all = []
for (let run = 0; run < runs; run++) all.push(await measure())
setup.remove()
server.close()
judge('tui: CPU of the first 5,000 deltas at once', median(all.map(({ first }) => first)), 250, ' ms')
judge('tui: CPU of the next 5,000 deltas at once', median(all.map(({ later }) => later)), 250, ' ms')
process.exit()
