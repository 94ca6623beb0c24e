import { connect } from 'node:net'
import { startModelServer } from '../model-server.js'
import { cpuSeconds, makeHome, memoryOf } from '../process.js'
import { request, startServer } from '../served.js'
import { printTable } from './table.js'

// Measures one server whose session so many clients watch: its memory, and a turn until the last of them has seen its end. The clients
// are in this process, so part of the time is theirs.

const turns = 5

/** Prints a row for each number of watchers. */
export async function scaleWatchers(counts) {
  const model = await startModelServer()
  const setup = makeHome(model.host, { serve: { watchers: Math.max(...counts) } })
  const rows = []
  for (const count of counts) rows.push(await measure(count, setup))
  setup.remove()
  model.close()
  printTable('Watchers of one session of one server', rows)
}

async function measure(count, setup) {
  const server = await startServer(setup)
  const { child } = server
  try {
    const { id } = await post(server, '/v1/sessions', {})
    const idle = memoryOf(child) / 1_000
    const started = performance.now()
    const watchers = []
    // A client opens a few at once, as browsers that reconnect do.
    while (watchers.length < count) {
      const some = Math.min(100, count - watchers.length)
      watchers.push(...(await Promise.all(Array.from({ length: some }, () => watch(server, id)))))
    }
    const opened = performance.now() - started
    const watched = memoryOf(child) / 1_000
    const before = cpuSeconds(child.pid)
    const times = []
    for (let i = 0; i < turns; i++) times.push(await turn(server, { id, watchers }))
    const cpu = (cpuSeconds(child.pid) - before) / turns
    for (const { socket } of watchers) socket.destroy()
    return {
      watchers: count,
      'all connected, s': opened / 1_000,
      'memory, MB': watched,
      'each, kB': ((watched - idle) * 1_000) / count,
      'a turn, first has seen its end, ms': Math.min(...times.map(({ first }) => first)),
      'last, ms': Math.min(...times.map(({ last }) => last)),
      'CPU of the server, ms': cpu * 1_000,
    }
  } finally {
    child.kill()
  }
}

/** Runs a turn. Returns when the first and the last watcher have seen its end, in milliseconds. */
async function turn(server, { id, watchers }) {
  const started = performance.now()
  const seen = Promise.all(watchers.map(({ ended }) => ended()))
  const [first, , last] = [
    Promise.race(watchers.map(({ ended }) => ended())).then(() => performance.now() - started),
    await post(server, `/v1/sessions/${id}/messages`, { text: 'go' }),
    seen.then(() => performance.now() - started),
  ]
  return { first: await first, last: await last }
}

async function post(server, path, body) {
  return (await request(server, path, body)).json()
}

/** Watches the events of a session over a socket of its own. `ended` waits for the next end of a turn. */
async function watch({ url, token }, id) {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const waiting = []
  let tail = ''
  const ready = new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (bytes) => {
      const text = tail + bytes.toString('latin1')
      if (text.includes('\r\n\r\n')) resolve()
      if (text.includes('"turn_end"')) {
        tail = ''
        for (const wake of waiting.splice(0)) wake()
      } else tail = text.slice(-20)
    })
  })
  socket.write(
    `GET /v1/sessions/${id}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await ready
  return { socket, ended: () => new Promise((resolve) => waiting.push(resolve)) }
}
