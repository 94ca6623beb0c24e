import { createServer } from 'node:http'

/** An event of Chat Completions. */
export const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** "ok" in Anthropic's Messages. */
const okMessage = [
  event('message_start', { message: { id: 'x', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ok' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
].join('')

/** Returns a different call each round, because pipe stops a model that repeats one. */
const echo = (round) => ({ name: 'bash', args: { command: `echo hi ${round}` } })

/**
 * Serves a model that answers at once: `rounds` replies with the call of `callOf`, then "ok". Counts the tool results of a request to
 * find its round. Over Anthropic's Messages it only says "ok". `ownMs` is its own time, from request to reply.
 */
export async function startModelServer({ rounds = 0, callOf = echo } = {}) {
  let ownMs = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    let body = ''
    const arrived = performance.now()
    response.once('finish', () => {
      ownMs += performance.now() - arrived
    })
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const done = JSON.parse(body).messages.filter((message) => message.role === 'tool').length
      const { name, args } = callOf(done)
      const call = { index: 0, id: `call_${done}`, function: { name, arguments: JSON.stringify(args) } }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (request.url === '/v1/messages') {
        response.end(okMessage)
        return
      }
      response.end(
        done < rounds
          ? `${chunk({ role: 'assistant', tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`
          : `${chunk({ role: 'assistant', content: 'ok' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
      )
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `http://127.0.0.1:${server.address().port}`
  return { host, ownMs: () => ownMs, close: () => server.close() }
}
