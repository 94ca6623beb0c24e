import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../src/http/transport.ts'
import { parseJson } from '../../src/json-value.ts'
import { type AssistantMessage, type ContentBlock, textContent, toolCalls } from '../../src/message.ts'
import { createOllamaProvider } from '../../src/ollama/provider.ts'
import { ollamaBody } from '../../src/ollama/request.ts'
import type { Provider, Request } from '../../src/provider.ts'
import { type FakeServer, startFakeOllama } from '../support/fake-server.ts'
import { countingIds } from '../support/ids.ts'
import { text, toolResult, user } from '../support/messages.ts'
import type { OllamaBody } from '../support/ollama-rules.ts'
import { cuts, type Expected, readRecordings, recordingsFolder, seeded } from '../support/recordings.ts'
import { stillClock } from '../support/still-clock.ts'
import { ollama } from './playback.ts'

const recordings = readRecordings('ollama-native')
const request: Request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }

interface Reply {
  readonly message: AssistantMessage
  readonly error: unknown
}

describe.skipIf(recordingsFolder === '')("recordings of Ollama's own API", () => {
  let server: FakeServer<OllamaBody>
  beforeAll(async () => {
    server = await startFakeOllama()
  })
  afterAll(() => server.close())

  it('are there', () => expect(recordings.length).toBeGreaterThan(5))

  it.each(recordings)('$name gives what was recorded, whole, over HTTP', async ({ bytes, expected }) => {
    server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
    const transport = createTransport()
    const { baseUrl } = server
    const ids = { newId: countingIds(), clock: stillClock() }
    const reply = await read(createOllamaProvider({ name: 'ollama', baseUrl, transport, ...ids }))
    transport.close()
    expectReply(reply, expected)
    expect(server.violations).toEqual([])
  })

  it.each(recordings)('$name gives the same byte by byte', async ({ bytes, expected }) => {
    expectReply(await read(ollama({ bytes, sizes: [1] })), expected)
  })

  it.each(recordings)('$name gives the same in odd pieces', async ({ bytes, expected }) => {
    const random = seeded(bytes.length)
    for (let round = 0; round < 3; round++) {
      const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
      expectReply(await read(ollama({ bytes, sizes })), expected)
    }
  })

  it.each(recordings)(
    '$name is incomplete wherever it is cut, and keeps what had come',
    async ({ bytes }) => {
      for (const length of cuts(bytes)) {
        const cut = bytes.subarray(0, length)
        const { message, error } = await read(ollama({ bytes: cut }))
        expect({ length, ...said(message), error, stopReason: message.stopReason }).toEqual({
          length,
          ...wholeLines(cut),
          error: expect.objectContaining({ code: 'network' }),
          stopReason: 'error',
        })
      }
    },
  )

  it.each(recordings)(
    '$name goes back after a save and a load, its thinking to the model that did it and to no other',
    async ({ bytes }) => {
      const { message } = await read(ollama({ bytes }))
      const results = toolCalls(message).map(({ id, name }) => ({
        ...toolResult(id, text('42')),
        toolName: name,
      }))
      const history = [...request.messages, message, ...results, user(text('go on'))]
      const messages = JSON.parse(JSON.stringify(history))
      const sent = (model = 'asked', provider = 'ollama') =>
        ollamaBody({ ...request, model, messages }, provider).messages[1]
      const { text: content, thinking, calls } = said(message)
      const spoken = {
        role: 'assistant',
        content,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      }
      expect(sent(message.model)).toMatchObject(thinking === '' ? spoken : { ...spoken, thinking })
      expect(sent('another')).not.toHaveProperty('thinking')
      expect(sent(message.model, 'another')).not.toHaveProperty('thinking')
    },
  )
})

async function read(provider: Provider): Promise<Reply> {
  const stream = provider.stream(request, { signal: new AbortController().signal })
  let error: unknown
  let shown = ''
  try {
    for await (const event of stream) if (event.type === 'text_delta') shown += event.delta
  } catch (thrown) {
    error = thrown
  }
  const message = stream.message()
  expect(shown).toBe(textContent(message))
  return { message, error }
}

function expectReply({ message, error }: Reply, expected: Expected): void {
  const { usage, rawStopReason = null, model } = message
  const { inputTokens, outputTokens } = expected.usage
  expect({
    text: textContent(message),
    thinking: thinking(message.content),
    toolCalls: toolCalls(message),
    stopReasonRaw: rawStopReason,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    raw: usage.raw,
    model,
    complete: error === undefined,
  }).toEqual({
    text: expected.text,
    thinking: expected.thinking,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({
      type: 'tool_call',
      id: id ?? expect.stringMatching(/^tool_/),
      name,
      arguments: args,
    })),
    stopReasonRaw: expected.stopReasonRaw,
    usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
    raw: expect.objectContaining({ total_duration: expect.any(Number) }),
    model: expected.model,
    complete: expected.complete,
  })
  if (expected.stopReasonRaw === 'stop')
    expect(message.stopReason).toBe(expected.toolCalls.length > 0 ? 'tool_use' : 'end_turn')
}

function thinking(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

function said(message: AssistantMessage) {
  const calls = toolCalls(message).map(({ name, arguments: args }) => ({
    function: { name, arguments: args },
  }))
  return { text: textContent(message), thinking: thinking(message.content), calls }
}

/** What the whole lines of a body say: told without the reader under test. */
function wholeLines(bytes: Buffer) {
  const calls: unknown[] = []
  let text = ''
  let thinking = ''
  for (const source of bytes.toString().split('\n')) {
    if (parseJson(source) === undefined) continue
    const line = JSON.parse(source)
    text += line.message?.content ?? line.response ?? ''
    thinking += line.message?.thinking ?? ''
    for (const { function: called } of line.message?.tool_calls ?? [])
      calls.push({ function: { name: called.name, arguments: called.arguments } })
  }
  return { text, thinking, calls }
}
