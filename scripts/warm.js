import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

// Runs a built program once, in its own process, against its own model. `list` prints the names of the chunks that it loaded; `cache`
// writes V8's code cache beside each file. Runs that share a home continue one conversation.

const [, , folder, home, task, way] = process.argv
const require = createRequire(import.meta.url)
const createLoader = require('../bin/chunks.js')
const { leastCached } = require('../bin/kept-code.js')

/** With code for calls, the cache is an eighth larger and the first call a tenth faster. */
const ways = {
  prompt: ['-m', 'warm/m', 'warm'],
  calls: ['--yolo', '-m', 'warm/m', 'warm'],
  continue: ['-c', '-m', 'warm/m', 'warm'],
  anthropic: ['-m', 'anthropic/claude-sonnet-4-6', 'warm'],
  terminal: ['-m', 'warm/m'],
  recall: ['recall', 'warm'],
}

const chunk = (delta, finish_reason) =>
  `data: ${JSON.stringify({ id: 'warm', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const message = [
  event('message_start', {
    message: { id: 'warm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } },
  }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'warm' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
].join('')

function completion(body) {
  const done = JSON.parse(body).messages.filter(({ role }) => role === 'tool').length
  const call = {
    index: 0,
    id: `call_${done}`,
    function: { name: 'bash', arguments: '{"command":"echo warm"}' },
  }
  const reply =
    way === 'calls' && done < 2
      ? chunk({ tool_calls: [call] }, null) + chunk({}, 'tool_calls')
      : chunk({ content: 'warm' }, null) + chunk({}, 'stop')
  return `${reply}data: [DONE]\n\n`
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.writeHead(404).end()
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(request.url === '/v1/messages' ? message : completion(body))
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

/** Adds to the caches of earlier runs. That of the start, which every run reads, holds code for the usual ways only. */
function cache(scripts) {
  const isUsual = way === 'calls' || way === 'continue'
  for (const [file, script] of scripts) {
    if (basename(file) === createLoader.startFile && !isUsual) continue
    if (statSync(file).size < leastCached) continue
    writeFileSync(createLoader.cacheOf(file), script.createCachedData())
  }
}

try {
  const host = `http://127.0.0.1:${server.address().port}`
  const providers = {
    warm: { dialect: 'openai-chat', base_url: `${host}/v1`, api_key_env: 'WARM_KEY' },
    anthropic: { dialect: 'anthropic', base_url: host, api_key_env: 'WARM_KEY' },
  }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers }))
  Object.assign(process.env, { PIPE_HOME: home, WARM_KEY: 'warm' })
  process.chdir(home)
  process.argv = [process.argv[0], 'pipe', ...ways[way]]
  const scripts = new Map()
  const load = createLoader(folder, (file, script) => scripts.set(file, script))
  await load('cli.js').main()
  if (process.exitCode !== 0) throw new Error(`the built program ended with ${process.exitCode}`)
  if (task === 'list') console.log([...scripts.keys()].map((file) => basename(file)).join('\n'))
  else cache(scripts)
} finally {
  server.close()
}
