import { createServer } from 'node:http'
import { join } from 'node:path'
import { chunk } from './model-server.js'
import { judge, makeHome, median, program, timeCpu } from './process.js'

// Measures the CPU time per delta of a reply that is sent as fast as it is read, one write per delta: 20,000 deltas minus a single
// one. Compares it with a bare reader of the same events.

const deltas = 20_000
const runs = 9
const words = ['The ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over ', 'the ', 'lazy ', 'dog.\n']

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(404).end()
  request.resume().on('end', async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const count = request.url.startsWith('/one') ? 1 : deltas
    for (let i = 0; i < count; i++) {
      const isFull = !response.write(chunk({ content: words[i % words.length] }))
      if (isFull) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const host = `http://127.0.0.1:${server.address().port}`
const places = { many: makeHome(host), one: makeHome(`${host}/one`) }

/** Microseconds of CPU per delta. */
async function cost(argsFor) {
  const many = await timeCpu(argsFor('many'), places.many)
  const one = await timeCpu(argsFor('one'), places.one)
  return ((many - one) / deltas) * 1_000
}

const reader = join(import.meta.dirname, 'bare-reader.js')
const ways = {
  bare: (count) => [reader, count === 'one' ? `${host}/one` : host],
  text: () => [program, '-m', 'bench/m', 'go'],
  'stream-json': () => [program, '-o', 'stream-json', '-m', 'bench/m', 'go'],
}
const costs = { bare: [], text: [], 'stream-json': [] }
for (let run = -1; run < runs; run++) {
  for (const [name, argsFor] of Object.entries(ways)) {
    const micros = await cost(argsFor)
    if (run >= 0) costs[name].push(micros)
  }
}
server.close()
places.many.remove()
places.one.remove()

for (const name of ['text', 'stream-json']) {
  const ratios = costs[name].map((micros, run) => micros / costs.bare[run])
  judge(`burst: CPU per delta, ${name}`, median(costs[name]), 10, ' µs')
  judge(`burst: CPU per delta, ${name} / bare reader`, median(ratios), 3, 'x')
}
