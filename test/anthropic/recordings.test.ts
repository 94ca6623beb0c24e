import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAnthropicProvider } from '../../src/anthropic/provider.ts'
import { isPipeError } from '../../src/error.ts'
import { createTransport } from '../../src/http/transport.ts'
import { type AssistantMessage, textContent, toolCalls } from '../../src/message.ts'
import type { Provider, Request } from '../../src/provider.ts'
import type { MessagesBody } from '../support/anthropic-rules.ts'
import { type FakeServer, startFakeAnthropic } from '../support/fake-server.ts'
import { countingIds } from '../support/ids.ts'
import { text, user } from '../support/messages.ts'
import { cuts, type Expected, readRecordings, recordingsFolder, seeded } from '../support/recordings.ts'
import { stillClock } from '../support/still-clock.ts'
import { claude } from './playback.ts'

const recordings = readRecordings('anthropic-messages')
const streams = recordings.filter(({ status }) => status === 200)
const failures = recordings.filter(({ status }) => status !== 200)
const request: Request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }

interface Reply {
  readonly message: AssistantMessage
  readonly error: unknown
}

describe.skipIf(recordingsFolder === '')("recordings of Anthropic's Messages", () => {
  let server: FakeServer<MessagesBody>
  beforeAll(async () => {
    server = await startFakeAnthropic()
  })
  afterAll(() => server.close())

  it('are there', () => expect(recordings.length).toBeGreaterThan(20))

  it.each(streams)('$name gives what was recorded, whole, over HTTP', async ({ bytes, expected }) => {
    server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
    const transport = createTransport()
    const ids = { newId: countingIds(), clock: stillClock() }
    const { baseUrl } = server
    const reply = await read(createAnthropicProvider({ name: 'anthropic', baseUrl, transport, ...ids }))
    transport.close()
    expectReply(reply, expected)
    expect(server.violations).toEqual([])
  })

  it.each(streams)('$name gives the same byte by byte', async ({ bytes, expected }) => {
    expectReply(await read(claude({ bytes, sizes: [1] })), expected)
  })

  it.each(streams)('$name gives the same in odd pieces', async ({ bytes, expected }) => {
    const random = seeded(bytes.length)
    for (let round = 0; round < 2; round++) {
      const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
      expectReply(await read(claude({ bytes, sizes })), expected)
    }
  })

  it.each(streams)('$name gives the same with other line ends, and without names', async (recording) => {
    const source = recording.bytes.toString().replaceAll('\r\n', '\n')
    const nameless = source.replace(/^event:.*\n/gm, '')
    for (const bytes of [source.replaceAll('\n', '\r\n'), nameless])
      expectReply(await read(claude({ bytes, sizes: [5, 3] })), recording.expected)
  })

  it.each(streams)(
    '$name is incomplete wherever it is cut, and keeps what had come',
    async ({ bytes, expected }) => {
      const marks = marksOf(bytes)
      for (const length of cuts(bytes)) {
        const mark = marks.findLast(({ from }) => from <= length)
        const { message, error } = await read(claude({ bytes: bytes.subarray(0, length) }))
        if (mark?.over) {
          expect({ length, error }).toEqual({ length, error: undefined })
          continue
        }
        const said = { text: textContent(message), thinking: thinking(message) }
        const code = isPipeError(error) ? error.code : error
        expect({ length, ...said, code, stopReason: message.stopReason }).toEqual({
          length,
          text: mark?.text,
          thinking: mark?.thinking,
          code: 'network',
          stopReason: 'error',
        })
        expect(expected.text.startsWith(said.text)).toBe(true)
      }
    },
  )

  it.each(failures)('$name is an error with a code for its status', async ({ status, bytes, expected }) => {
    const { message, error } = await read(claude({ status, bytes }))
    const codes = new Map([
      [400, 'invalid'],
      [401, 'auth'],
      [404, 'not_found'],
    ])
    expect(error).toMatchObject({
      code: codes.get(status),
      details: { status: String(status) },
      message: expect.stringContaining(expected.error?.message ?? '?'),
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
  const { usage, rawStopReason = null, responseId, model, content } = message
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block] : []))
  const { inputTokens, outputTokens, cacheRead = 0, cacheWrite = 0 } = expected.usage
  expect({
    text: textContent(message),
    textParts: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    thinking: thinking(message),
    toolCalls: toolCalls(message).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReasonRaw: rawStopReason,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    usageRaw: usage.raw,
    signed: thoughts.some(({ signature, redacted }) => !redacted && signature !== undefined),
    redacted: thoughts.filter(({ redacted }) => redacted).length,
    complete: error === undefined,
    responseId,
    model,
  }).toEqual({
    text: expected.text,
    textParts: expected.textParts ?? (expected.text === '' ? [] : expect.any(Array)),
    thinking: expected.thinking,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReasonRaw: expected.stopReasonRaw,
    usage: { inputTokens: (inputTokens ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0), outputTokens },
    usageRaw: expected.usageRaw,
    signed: expected.signaturePresent,
    redacted: expected.redactedThinkingCount ?? 0,
    complete: expected.complete,
    responseId: expected.responseId,
    model: expected.model,
  })
}

function thinking({ content }: AssistantMessage): string {
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

interface Mark {
  /** Bytes from which on this holds. */
  readonly from: number
  /** The text and the thinking of all events so far. */
  readonly text: string
  readonly thinking: string
  /** Whether the reply is over. */
  readonly over: boolean
}

/** What a reader knows at each event's last visible byte: told line by line, without the reader under test. */
function marksOf(bytes: Buffer): Mark[] {
  const marks: Mark[] = [{ from: 0, text: '', thinking: '', over: false }]
  let offset = 0
  for (const line of bytes.toString().split('\n')) {
    const [data] = /(?<=^data: ?)\{.*\}/.exec(line) ?? []
    const event = data === undefined ? {} : JSON.parse(data)
    const { text = '', thinking = '', over = false } = marks.at(-1) ?? {}
    marks.push({
      from: offset + Buffer.byteLength(line.trimEnd()),
      text: text + (event.delta?.text ?? ''),
      thinking: thinking + (event.delta?.thinking ?? ''),
      over: over || event.type === 'message_stop',
    })
    offset += Buffer.byteLength(line) + 1
  }
  return marks
}
