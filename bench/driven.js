import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { load } from './module.js'
import { judge, makeHome, program } from './process.js'

// Soaks one driven process: messages one after the other, among them questions that are answered with yes or no, calls of a tool in this
// program, and interrupts. Memory must stay flat, and the end of the lines must end it well.

const { values } = parseArgs({ options: { messages: { type: 'string', default: '500' } } })
const count = Number(values.messages)

const { startFakeServer } = await load('test/support/models/fake-server.ts')
const { replyEvents } = await load('test/support/vendors/chat-sse.ts')

/** Chooses the calls that message `i` leads to. */
const kinds = ['say', 'allow', 'deny', 'interrupt', 'tool']
const kindOf = (i) => kinds[i % kinds.length]

let current = 0
let onAsked = () => undefined

/** Plays the model: a call at the message of the user, and a text at its result. */
function answer({ body }, response) {
  const blocks = blocksFor(body)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // Without an end, until the program interrupts it.
  if (blocks === undefined) {
    response.flushHeaders()
    onAsked()
    return
  }
  const prompt = Math.ceil(JSON.stringify(body.messages).length / 4)
  const usage = { prompt_tokens: prompt, completion_tokens: 50, total_tokens: prompt + 50 }
  response.end(replyEvents(blocks, { usage }).join(''))
}

function blocksFor({ tools, messages }) {
  const text = [{ type: 'text', text: 'This was done as you said. '.repeat(20) }]
  if (tools === undefined || messages.at(-1).role !== 'user') return text
  const call = (name, args) => [{ type: 'tool_call', id: `call_${current}`, name, arguments: args }]
  switch (kindOf(current)) {
    case 'say':
      return text
    case 'interrupt':
      return undefined
    case 'tool':
      return tools.some((tool) => tool.function.name === 'mcp__sums__add')
        ? call('mcp__sums__add', { a: current, b: 1 })
        : call('find_tools', { query: 'add numbers' })
    default:
      return call('bash', { command: `mkdir -p out && echo ${current} > out/last` })
  }
}

const server = await startFakeServer(...Array(4 * count + 100).fill(answer))
const setup = makeHome(new URL(server.baseUrl).origin, { models: { 'bench/m': { context_window: 32_000 } } })
const cwd = join(setup.home, 'work')
mkdirSync(cwd)
const flags = [
  '--input-format',
  'stream-json',
  '-o',
  'stream-json',
  '--verbose',
  '--permission-prompt-tool',
  'stdio',
]
const child = spawn(process.execPath, ['--trace-warnings', program, '-m', 'bench/m', ...flags], {
  cwd,
  env: setup.env,
  stdio: ['pipe', 'pipe', 'pipe'],
})
let stderr = ''
child.stderr.setEncoding('utf8').on('data', (text) => {
  stderr += text
})
const ended = new Promise((resolve) => child.on('close', resolve))
const send = (line) => child.stdin.write(`${JSON.stringify(line)}\n`)
const reply = (id, response) =>
  send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })

const toolResults = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'sums', version: '1' },
  },
  'tools/list': { tools: [{ name: 'add', description: 'Adds numbers', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'the sum' }] },
}
const seen = { asked: 0, called: 0, results: 0, interrupted: 0 }
let onResult = () => undefined

function act({ type, request_id: id, request, subtype }) {
  if (type === 'result') {
    seen.results += 1
    if (subtype !== 'success') seen.interrupted += 1
    onResult()
  }
  if (type !== 'control_request') return
  if (request.subtype === 'can_use_tool') {
    seen.asked += 1
    const isYes = kindOf(current) !== 'deny'
    reply(id, isYes ? { behavior: 'allow' } : { behavior: 'deny', message: 'not this time' })
  }
  if (request.subtype === 'mcp_message') {
    if (request.message.method === 'tools/call') seen.called += 1
    const result = toolResults[request.message.method] ?? {}
    reply(id, { mcp_response: { jsonrpc: '2.0', id: request.message.id ?? 0, result } })
  }
}

createInterface({ input: child.stdout }).on('line', (line) => act(JSON.parse(line)))
const control = (id, request) => send({ type: 'control_request', request_id: id, request })
const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024

control('begin', { subtype: 'initialize', sdkMcpServers: ['sums'] })
const memory = []
for (current = 0; current < count; current++) {
  const done = new Promise((resolve) => {
    onResult = resolve
  })
  onAsked = () => control(`stop-${current}`, { subtype: 'interrupt' })
  send({
    type: 'user',
    message: { role: 'user', content: `message ${current}: ${'do it well. '.repeat(20)}` },
  })
  await done
  memory.push(residentMb())
}
child.stdin.end()
const code = await ended
await server.close()
setup.remove()

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length
const quarter = Math.ceil(count / 4)
const [second, last] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))]
console.log(`driven: ${JSON.stringify(seen)}; ${last.toFixed(0)} MB resident`)
judge('driven: resident memory, last quarter / second', last / second, 1.25, 'x')
judge('driven: missing results', count - seen.results, 0, '')
judge(
  'driven: turns that ended otherwise than they should',
  Math.abs(seen.interrupted - Math.floor((count + 1) / 5)),
  0,
  '',
)
judge('driven: requests that a server would refuse', server.violations.length, 0, '')
judge('driven: lines on stderr', stderr.split('\n').filter((line) => line !== '').length, 0, '')
judge('driven: exit code', code, 0, '')
if (stderr !== '') console.log(stderr.slice(0, 2_000))
