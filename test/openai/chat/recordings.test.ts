import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPipeError } from '../../../src/error.ts'
import { createTransport } from '../../../src/http/transport.ts'
import { type AssistantMessage, textContent, toolCalls } from '../../../src/message.ts'
import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import type { Provider, Request } from '../../../src/provider.ts'
import { type FakeServer, startFakeServer } from '../../support/fake-server.ts'
import { createHandClock } from '../../support/hand-clock.ts'
import { countingIds } from '../../support/ids.ts'
import { text, user } from '../../support/messages.ts'
import { cuts, type Expected, readRecordings, recordingsFolder, seeded } from '../../support/recordings.ts'
import { chat } from './playback.ts'

const recordings = readRecordings('openai-chat')
const streams = recordings.filter(({ status }) => status === 200)
const failures = recordings.filter(({ status }) => status !== 200)
const request: Request = {
  model: 'asked',
  systemPrompt: '',
  messages: [user(text('hello'))],
  tools: [],
}

interface Reply {
  readonly message: AssistantMessage
  readonly error: unknown
}

describe.skipIf(recordingsFolder === '')('recordings of Chat Completions', () => {
  let server: FakeServer
  beforeAll(async () => {
    server = await startFakeServer()
  })
  afterAll(() => server.close())

  it('are there', () => expect(recordings.length).toBeGreaterThan(50))

  it.each(streams)('$name gives what was recorded, whole, over HTTP', async ({ bytes, expected }) => {
    server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
    const transport = createTransport()
    const { baseUrl } = server
    const ids = { newId: countingIds(), clock: createHandClock() }
    const reply = await read(createChatProvider({ name: 'openai', baseUrl, transport, ...ids }))
    transport.close()
    expectReply(reply, expected)
    expect(server.violations).toEqual([])
  })

  it.each(streams)('$name gives the same byte by byte', async ({ bytes, expected }) => {
    expectReply(await read(chat({ bytes, sizes: [1] })), expected)
  })

  it.each(streams)('$name gives the same in odd pieces', async ({ bytes, expected }) => {
    const random = seeded(bytes.length)
    for (let round = 0; round < 2; round++) {
      const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
      expectReply(await read(chat({ bytes, sizes })), expected)
    }
  })

  it.each(streams)(
    '$name is incomplete wherever it is cut, and keeps what had come',
    async ({ bytes, expected }) => {
      const marks = marksOf(bytes)
      for (const length of cuts(bytes)) {
        const mark = marks.findLast(({ from }) => from <= length)
        const { message, error } = await read(chat({ bytes: bytes.subarray(0, length) }))
        const said = { text: textContent(message), thinking: thinking(message) }
        if (mark?.over) {
          expect({ ...said, error }).toEqual({
            text: expected.text,
            thinking: expected.thinking,
            error: undefined,
          })
          continue
        }
        const kept =
          said.text.startsWith(mark?.text ?? '?') &&
          expected.text.startsWith(said.text) &&
          expected.thinking.startsWith(said.thinking)
        const code = isPipeError(error) ? error.code : error
        expect({ length, kept, code, stopReason: message.stopReason }).toEqual({
          length,
          kept: true,
          code: 'network',
          stopReason: 'error',
        })
      }
    },
  )

  it.each(failures)('$name is an error with a code for its status', async ({ status, bytes, expected }) => {
    const { message, error } = await read(chat({ status, bytes }))
    const overflow = /context length/.test(bytes.toString()) ? 'context_overflow' : 'invalid'
    const codes = new Map([
      [400, overflow],
      [401, 'auth'],
      [404, 'not_found'],
      [429, 'rate_limited'],
    ])
    expect(error).toMatchObject({
      code: codes.get(status),
      details: { status: String(status) },
      message: expect.stringContaining(expected.error?.message.slice(0, 250) ?? '?'),
    })
    expect(message).toMatchObject({ content: [], stopReason: 'error' })
  })
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
  const { usage, rawStopReason = null, responseId, model } = message
  expect({
    text: textContent(message),
    thinking: thinking(message),
    toolCalls: toolCalls(message).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReasonRaw: rawStopReason,
    usageRaw: usage.raw,
    complete: error === undefined,
  }).toEqual({
    text: expected.text,
    thinking: expected.thinking,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({
      id: id ?? expect.stringMatching(/^tool_/),
      name,
      arguments: args,
    })),
    stopReasonRaw: expected.stopReasonRaw,
    usageRaw: expected.usageRaw,
    complete: expected.complete,
  })
  if (expected.complete) {
    expect({ responseId, model }).toEqual({
      responseId: expected.responseId || undefined,
      model: expected.model || 'asked',
    })
  }
  if (expected.error !== undefined) {
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining(expected.error.message) })
  }
}

function thinking({ content }: AssistantMessage): string {
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

interface Mark {
  /** Bytes from which on this holds. */
  readonly from: number
  /** The text of all events so far, where it is plain text. */
  readonly text: string
  /** Whether the reply is over. */
  readonly over: boolean
}

/** What a reader can know at each event's last byte: told line by line, without the reader under test. */
function marksOf(bytes: Buffer): Mark[] {
  const marks: Mark[] = [{ from: 0, text: '', over: false }]
  let offset = 0
  for (const line of bytes.toString().split('\n')) {
    const [data] = /(?<=^data: ?)[[{].*(?<!\r)/.exec(line) ?? []
    const choice = data === undefined || data === '[DONE]' ? undefined : JSON.parse(data).choices?.[0]
    const { text = '', over = false } = marks.at(-1) ?? {}
    const added = choice?.delta.content
    marks.push({
      from: offset + Buffer.byteLength(line.trimEnd()),
      text: typeof added === 'string' ? text + added : text,
      over: over || data === '[DONE]' || Boolean(choice?.finish_reason),
    })
    offset += Buffer.byteLength(line) + 1
  }
  return marks
}
