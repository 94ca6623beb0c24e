import { createServer } from 'node:http'

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

/**
 * A model that answers at once: `rounds` replies that each run `command`, then one that says ok. A conversation's round is the
 * number of tool results in its request, so one server serves any number of runs.
 */
export async function startModelServer({ rounds = 0, command = 'echo hi' } = {}) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const done = JSON.parse(body).messages.filter((message) => message.role === 'tool').length
      const call = {
        index: 0,
        id: `call_${done}`,
        function: { name: 'bash', arguments: JSON.stringify({ command }) },
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        done < rounds
          ? `${chunk({ role: 'assistant', tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`
          : `${chunk({ role: 'assistant', content: 'ok' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
      )
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() }
}
