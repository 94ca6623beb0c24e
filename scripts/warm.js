import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

// Runs the built program of a folder once, against a model. `list` prints the names of the chunks that took part. `cache` has the model
// make two calls and writes V8's code cache beside each file: code for calls makes the cache an eighth larger and the first call a tenth
// faster. Needs a process of its own, because it replaces arguments, environment and output.

const [, , folder, task] = process.argv
const createLoader = createRequire(import.meta.url)('../bin/chunks.js')

const chunk = (delta, finish_reason) =>
  `data: ${JSON.stringify({ id: 'warm', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(404).end()
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    const done = JSON.parse(body).messages.filter(({ role }) => role === 'tool').length
    const call = {
      index: 0,
      id: `call_${done}`,
      function: { name: 'bash', arguments: '{"command":"echo warm"}' },
    }
    const reply =
      task === 'cache' && done < 2
        ? chunk({ tool_calls: [call] }, null) + chunk({}, 'tool_calls')
        : chunk({ content: 'warm' }, null) + chunk({}, 'stop')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${reply}data: [DONE]\n\n`)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

function cache(scripts) {
  for (const [file, script] of scripts) writeFileSync(createLoader.cacheOf(file), script.createCachedData())
}

const home = mkdtempSync(join(tmpdir(), 'pipe-warm-'))
try {
  const base_url = `http://127.0.0.1:${server.address().port}/v1`
  const settings = { providers: { warm: { dialect: 'openai-chat', base_url, api_key_env: 'WARM_KEY' } } }
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings))
  Object.assign(process.env, { PIPE_HOME: home, WARM_KEY: 'warm' })
  process.argv = [process.argv[0], 'pipe', '--yolo', '-m', 'warm/m', 'warm']
  const scripts = new Map()
  const load = createLoader(folder, (file, script) => scripts.set(file, script))
  await load('cli.js').main()
  if (process.exitCode !== 0) throw new Error(`the built program ended with ${process.exitCode}`)
  if (task === 'list') console.log([...scripts.keys()].map((file) => basename(file)).join('\n'))
  else cache(scripts)
} finally {
  server.close()
  rmSync(home, { recursive: true, force: true })
}
