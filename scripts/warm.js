import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Runs the program that was built into the folder given once, against a model that calls a tool and then answers, and leaves V8's
// code cache of every chunk that took part beside it. A process of its own, because it takes over arguments, environment and output.

const folder = process.argv[2]
const createLoader = createRequire(import.meta.url)('../bin/chunks.js')

const chunk = (delta, finish_reason) =>
  `data: ${JSON.stringify({ id: 'warm', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    const call = { index: 0, id: 'call_1', function: { name: 'bash', arguments: '{"command":"true"}' } }
    const reply = body.includes('"role":"tool"')
      ? chunk({ content: 'warm' }, null) + chunk({}, 'stop')
      : chunk({ tool_calls: [call] }, null) + chunk({}, 'tool_calls')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${reply}data: [DONE]\n\n`)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

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
  for (const [file, script] of scripts) writeFileSync(`${file}.cache`, script.createCachedData())
} finally {
  server.close()
  rmSync(home, { recursive: true, force: true })
}
