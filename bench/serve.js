import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createParser } from 'eventsource-parser'
import { chunk } from './model-server.js'
import { judge, makeHome, median, memoryOf, program } from './process.js'
import { request, startServer } from './served.js'

// Compares a turn through the server with a one-shot run that prints the same lines: the first text, for which the run must start, and the
// rate after it. Tells what the library needs in this process, and weighs idle listeners.

const { openConversation } = await import(join(import.meta.dirname, '..', 'dist', 'index.js'))
const deltas = 20_000
const runs = 5
const listeners = 200

/** Serves a model that sends its deltas as fast as they are taken. */
async function startModel() {
  const pieces = Array.from({ length: 200 }, (_, i) => chunk({ content: `word ${i} ` })).join('')
  const server = createServer(async (request, response) => {
    request.resume()
    if (request.method === 'GET') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let sent = 0; sent < deltas; sent += 200)
      if (!response.write(pieces)) await new Promise((resolve) => response.once('drain', resolve))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** Runs a turn through the server, and watches it. Returns the times of its first text and of its end in milliseconds. */
async function served(server, id) {
  const { body } = await request(server, `/v1/sessions/${id}/events`)
  let [first, end] = [0, 0]
  const parser = createParser({
    onEvent: ({ data }) => {
      const { type } = JSON.parse(data)
      if (type === 'text_delta' && first === 0) first = performance.now()
      if (type === 'turn_end') end = performance.now()
    },
  })
  const decoder = new TextDecoder()
  const started = performance.now()
  await request(server, `/v1/sessions/${id}/messages`, { text: 'go' })
  for await (const piece of body) {
    parser.feed(decoder.decode(piece, { stream: true }))
    if (end > 0) break
  }
  return { first: first - started, rest: end - first }
}

/** Runs the same turn with the library. Returns the time of its first text. */
async function alone(conversation) {
  const watching = conversation.watch()
  await watching.next()
  const started = performance.now()
  const turn = conversation.run('go')
  let first = 0
  for await (const { event } of watching) {
    if (event?.type === 'text_delta' && first === 0) first = performance.now()
    if (event?.type === 'turn_end') break
  }
  await turn
  await watching.return()
  return { first: first - started }
}

/** Runs the same turn as a program that prints its events. */
async function printed({ home, env }) {
  const started = performance.now()
  const child = spawn(process.execPath, [program, '-o', 'stream-json', '-m', 'bench/m', 'go'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [first, end] = [0, 0]
  for await (const line of createInterface({ input: child.stdout })) {
    const { type } = JSON.parse(line)
    if (type === 'text_delta' && first === 0) first = performance.now()
    if (type === 'turn_end') end = performance.now()
  }
  return { first: first - started, rest: end - first }
}

const model = await startModel()
const setup = makeHome(model.host)
const server = await startServer(setup)
try {
  Object.assign(process.env, { PIPE_HOME: setup.env.PIPE_HOME, BENCH_KEY: 'k' })
  const times = { served: [], alone: [], printed: [] }
  for (let run = -1; run < runs; run++) {
    const { id } = await (await request(server, '/v1/sessions', {})).json()
    const conversation = await openConversation({ cwd: setup.home, model: 'bench/m' })
    // The second turn of a conversation, because the first one loads what all later ones use.
    await alone(conversation)
    await served(server, id)
    const found = {
      alone: await alone(conversation),
      served: await served(server, id),
      printed: await printed(setup),
    }
    await conversation.close()
    if (run >= 0) for (const name of Object.keys(times)) times[name].push(found[name])
  }
  const figure = (name, part) => median(times[name].map((one) => one[part]))
  const rate = (name) => `${Math.round((deltas / figure(name, 'rest')) * 1_000)} deltas/s`
  const first = (name) => `${figure(name, 'first').toFixed(1)} ms`
  console.log(`serve: ${rate('served')} through the server, ${rate('printed')} printed by a one-shot run`)
  console.log(
    `serve: first text after ${first('served')}, of a one-shot run ${first('printed')}, with the library ${first('alone')}`,
  )
  judge('serve: first text / one-shot', figure('served', 'first') / figure('printed', 'first'), 1.15, 'x')
  judge('serve: rest of the turn / one-shot', figure('served', 'rest') / figure('printed', 'rest'), 1.15, 'x')
  const { id } = await (await request(server, '/v1/sessions', {})).json()
  const before = memoryOf(server.child)
  const open = []
  for (let i = 0; i < listeners; i++) {
    const { body } = await request(server, `/v1/sessions/${id}/events`)
    const reader = body.getReader()
    await reader.read()
    open.push(reader)
  }
  judge('serve: memory of an idle listener', (memoryOf(server.child) - before) / listeners, 100, ' KiB')
  await Promise.all(open.map((reader) => reader.cancel()))
} finally {
  server.child.kill()
  model.close()
  setup.remove()
}
