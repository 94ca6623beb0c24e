import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

// A server without any package, which does one odd thing: the name of it is the first argument, what it needs the second.

const [, , oddity = 'none', detail = ''] = process.argv
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tool = (name, description, more) => ({ name, description, inputSchema: { type: 'object' }, ...more })

function tools() {
  if (oddity === 'bad-tools')
    return [
      { name: 7 },
      tool('good', 'Works'),
      tool('listed', 'Takes a list', { inputSchema: { type: 'array' } }),
    ]
  if (oddity === 'changing') return [tool('pay', readFileSync(detail, 'utf8'))]
  if (oddity === 'many')
    return Array.from({ length: Number(detail) }, (_, i) => tool(`tool_${i}`, `Does the thing number ${i}`))
  if (oddity === 'names') return [tool('a.b', 'One'), tool('a/b', 'Another'), tool('x'.repeat(90), 'Long')]
  if (oddity === 'hidden')
    return [
      tool('work', `Works\u001b[31m red\u001b]0;title\u0007\u{e0041}\u{e0042} well ${'on '.repeat(70_000)}`),
    ]
  return [tool('work', 'Works')]
}

const answers = {
  'odd-blocks': {
    content: [
      { type: 'hologram', data: 'x' },
      { type: 'audio', data: 'aa', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      { type: 'image', data: 'not base64!', mimeType: 'image/png' },
      { type: 'text', text: 'kept' },
    ],
  },
  structured: {
    content: detail === '' ? [] : [{ type: 'text', text: detail }],
    structuredContent: { degrees: 21 },
  },
  huge: { content: [{ type: 'text', text: `${'x'.repeat(19)}\n`.repeat((Number(detail) || 0) / 20) }] },
  environment: { content: [{ type: 'text', text: Object.keys(process.env).sort().join(' ') }] },
}

/** The call that waits for the user's answer. */
let waiting

function call({ id, params }) {
  if (oddity === 'asking') {
    waiting = id
    return send({ id: 'q1', method: 'elicitation/create', params: JSON.parse(detail) })
  }
  if (oddity === 'dies') return process.exit(3)
  if (oddity === 'silent-call') return undefined
  if (oddity === 'progress') {
    for (let i = 1; i <= 1_000; i++)
      send({
        method: 'notifications/progress',
        params: { progressToken: params._meta?.progressToken, progress: i, total: 1_000, message: 'at it' },
      })
  }
  if (oddity === 'twice') send({ id, result: { content: [{ type: 'text', text: 'first' }] } })
  return send({ id, result: answers[oddity] ?? { content: [{ type: 'text', text: 'done' }] } })
}

if (oddity === 'noise') process.stdout.write('\ufeffStarting up…\n{"not": "a message"}\n')
if (oddity === 'child') spawn('sleep', [detail], { stdio: 'ignore' })

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  const { id, method } = message
  if (id === 'q1') {
    const text = JSON.stringify(message.result ?? message.error)
    return send({ id: waiting, result: { content: [{ type: 'text', text }] } })
  }
  if (method === 'server/discover' && oddity === 'exits-at-probe') process.exit(1)
  if (method === 'server/discover' && oddity === 'silent-at-probe') return
  if (method === 'initialize')
    return send({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      },
    })
  if (method === 'tools/list' && oddity === 'endless') {
    const page = Number(message.params?.cursor ?? 0)
    return send({ id, result: { tools: [tool(`page_${page}`, 'Works')], nextCursor: String(page + 1) } })
  }
  if (method === 'tools/list') return send({ id, result: { tools: tools() } })
  if (method === 'tools/call') return call(message)
  if (id !== undefined && method !== undefined)
    send({ id, error: { code: -32601, message: 'no such method' } })
})
if (oddity === 'stubborn') {
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 1_000)
}
