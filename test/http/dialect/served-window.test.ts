import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { infoOf } from '../../../src/engine.ts'
import { type AskWindow, isNearby, withServedWindow } from '../../../src/http/dialect/served-window.ts'
import { createTransport } from '../../../src/http/transport.ts'
import type { JsonValue } from '../../../src/json-value.ts'
import { ollamaWindow } from '../../../src/ollama/window.ts'
import { openaiWindow } from '../../../src/openai/window.ts'
import type { Request } from '../../../src/provider.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'
import { leastRequest } from '../../support/models/asking.ts'
import { answers, choose } from '../../support/models/choices.ts'
import { listen } from '../../support/servers/listen.ts'

/** Starts a server with these answers by path, and records its requests. */
async function serve(answersAt: Readonly<Record<string, JsonValue>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push([request.method, path, request.headers.authorization, body].filter(Boolean).join(' '))
      const answer = answersAt[path]
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}))
    })
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${port}`, asked }
}

/** A clock whose timers never come due. */
const patient = { ...stillClock(), after: () => () => undefined }

/** A model that replies, and whose server is asked for its window. */
function ask(baseUrl: string, askWindow: AskWindow, atOnce = true) {
  const transport = createTransport()
  onTestFinished(() => transport.close())
  const access = { name: 'a', baseUrl, apiKey: 'key', transport, newId: otherIds(), clock: patient }
  const { provider } = choose('a/m', [answers('Hi.'), answers('Hi.')])
  const learning = withServedWindow(provider, access, 'm', { askWindow, atOnce })
  const say = async (request: Partial<Request> = {}) => {
    const stream = learning.provider.stream(
      { ...leastRequest, ...request },
      { signal: new AbortController().signal },
    )
    await stream.next()
    await stream.close()
  }
  return { ...learning, say, info: () => infoOf({ ...learning, model: 'm' }) }
}

const slots = (n_ctx: number) => ({ default_generation_settings: { n_ctx } })
const listed = (fields: JsonValue & object) => ({
  data: [
    { id: 'other', max_model_len: 1 },
    { id: 'm', ...fields },
  ],
})

describe('the window of a model', () => {
  it.each<[string, Readonly<Record<string, JsonValue>>, number | undefined]>([
    ['max_model_len in the list', { '/v1/models': listed({ max_model_len: 16_384 }) }, 16_384],
    [
      'the size of a slot',
      { '/v1/models': listed({ meta: { n_ctx: 8_192 } }), '/props': slots(4_096) },
      4_096,
    ],
    ['meta.n_ctx without slots', { '/v1/models': listed({ meta: { n_ctx: 8_192, n_ctx_train: 9 } }) }, 8_192],
    [
      'else the window it was trained with',
      { '/v1/models': listed({ meta: { n_ctx_train: 8_192 } }) },
      8_192,
    ],
    [
      'the window it was loaded with',
      {
        '/v1/models': listed({}),
        '/api/v0/models': { data: [{ id: 'm', loaded_context_length: 4_096, max_context_length: 131_072 }] },
      },
      4_096,
    ],
    ['that of the only model under any name', { '/v1/models': { data: [{ id: 'x', max_model_len: 7 }] } }, 7],
    ['unknown without a number', { '/v1/models': listed({ max_model_len: 'many' }) }, undefined],
    ['unknown if no model is listed', {}, undefined],
  ])("in OpenAI's dialects is %s", async (_, answersAt, expected) => {
    const { origin } = await serve(answersAt)
    const { say, servedWindow } = ask(`${origin}/v1`, openaiWindow)
    await say()
    await expect.poll(servedWindow, { timeout: 10_000 }).toBe(expected)
  })

  it.each([
    [8_192, 8_192],
    [131_072, 32_768],
  ])('of Ollama is the model’s own, %d, up to the requested size', async (context, expected) => {
    const model_info = { 'general.architecture': 'llama', 'llama.context_length': context }
    const { origin, asked } = await serve({ '/api/show': { model_info } })
    const { say, servedWindow, info } = ask(origin, ollamaWindow)
    expect(info()).toBeUndefined()
    await say()
    await expect.poll(servedWindow, { timeout: 10_000 }).toBe(expected)
    expect(asked).toEqual(['POST /api/show Bearer key {"model":"m"}'])
    expect(info()).toEqual({ provider: 'a', id: 'm', contextWindow: expected })
  })

  it('is requested once, and never for a single question', async () => {
    const { origin, asked } = await serve({ '/v1/models': listed({ max_model_len: 16_384 }) })
    const { say, servedWindow } = ask(`${origin}/v1`, openaiWindow, false)
    await say()
    expect(asked).toEqual([])
    const messages = [user(text('hello')), assistant(text('Hi.')), user(text('And?'))]
    await say({ messages })
    await expect.poll(servedWindow, { timeout: 10_000 }).toBe(16_384)
    expect(asked).toEqual(['GET /v1/models Bearer key'])
  })

  it('stays unknown without failing the reply if the server is unreachable', async () => {
    const { say, servedWindow } = ask('http://127.0.0.1:1/v1', openaiWindow)
    await say()
    expect(servedWindow()).toBeUndefined()
  })
})

it.each([
  ['http://127.0.0.1:8080/v1', true],
  ['http://[::1]:8080', true],
  ['http://192.168.1.20:8000/v1', true],
  ['http://localhost:1234', true],
  ['http://gpu-box:8000', true],
  ['http://gpu.local', true],
  ['https://api.example.com/v1', false],
  ['https://8.8.8.8', false],
  ['no address', false],
])('a server at %s is nearby: %s', (url, expected) => {
  expect(isNearby(url)).toBe(expected)
})
