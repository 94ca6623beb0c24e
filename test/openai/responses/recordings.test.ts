import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPipeError } from '../../../src/error.ts'
import { createTransport } from '../../../src/http/transport.ts'
import { type AssistantMessage, textContent, toolCalls } from '../../../src/message.ts'
import { createResponsesProvider } from '../../../src/openai/responses/provider.ts'
import type { Provider, Request } from '../../../src/provider.ts'
import { type FakeServer, startFakeResponses } from '../../support/fake-server.ts'
import { countingIds } from '../../support/ids.ts'
import { text, user } from '../../support/messages.ts'
import { cuts, type Expected, readRecordings, recordingsFolder, seeded } from '../../support/recordings.ts'
import type { ResponsesBody } from '../../support/responses-rules.ts'
import { stillClock } from '../../support/still-clock.ts'
import { responses } from './playback.ts'

const recordings = readRecordings('openai-responses')
const streams = recordings.filter(({ status }) => status === 200)
const failures = recordings.filter(({ status }) => status !== 200)
const request: Request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }

interface Reply {
  readonly message: AssistantMessage
  readonly error: unknown
}

describe.skipIf(recordingsFolder === '')("recordings of OpenAI's Responses", () => {
  let server: FakeServer<ResponsesBody>
  beforeAll(async () => {
    server = await startFakeResponses()
  })
  afterAll(() => server.close())

  it('are there', () => expect(recordings.length).toBeGreaterThan(25))

  it.each(streams)('$name gives what was recorded, whole, over HTTP', async ({ bytes, expected }) => {
    server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
    const transport = createTransport()
    const ids = { newId: countingIds(), clock: stillClock() }
    const { baseUrl } = server
    const reply = await read(createResponsesProvider({ name: 'openai', baseUrl, transport, ...ids }))
    transport.close()
    expectReply(reply, expected)
    expect(server.violations).toEqual([])
  })

  it.each(streams)('$name gives the same byte by byte', async ({ bytes, expected }) => {
    expectReply(await read(responses({ bytes, sizes: [1] })), expected)
  })

  it.each(streams)('$name gives the same in odd pieces', async ({ bytes, expected }) => {
    const random = seeded(bytes.length)
    for (let round = 0; round < 2; round++) {
      const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
      expectReply(await read(responses({ bytes, sizes })), expected)
    }
  })

  it.each(streams)('$name gives the same without names, with other line ends', async (recording) => {
    const source = recording.bytes.toString().replaceAll('\r\n', '\n')
    const nameless = source.replace(/^event:.*\n/gm, '').replaceAll('\n', '\r\n')
    expectReply(await read(responses({ bytes: nameless, sizes: [5, 3] })), recording.expected)
  })

  it.each(streams)('$name gives the same where no text comes in pieces', async ({ bytes, expected }) => {
    const whole = bytes.toString().replace(/^data: ?\{.*"type": ?"response\.\w+\.delta".*$/gm, 'data:')
    expect(whole).not.toContain('"delta":')
    expectReply(await read(responses({ bytes: whole })), expected)
  })

  it.each(streams)('$name gives the same where only the last event comes', async ({ bytes, expected }) => {
    const last = bytes
      .toString()
      .split('\n')
      .findLast((line) => line.includes('"response.completed"'))
    expectReply(await read(responses({ bytes: `${last}\n\n` })), expected)
  })

  it.each(streams)(
    '$name is incomplete wherever it is cut, and keeps what had come',
    async ({ bytes, expected }) => {
      const marks = marksOf(bytes)
      for (const length of cuts(bytes)) {
        const mark = marks.findLast(({ from }) => from <= length)
        const reply = await read(responses({ bytes: bytes.subarray(0, length) }))
        if (mark?.over) {
          expectReply(reply, expected)
          continue
        }
        const { message, error } = reply
        const said = { text: textContent(message), thinking: thinking(message) }
        const code = isPipeError(error) ? error.code : error
        expect({ length, ...said, code, stopReason: message.stopReason }).toEqual({
          length,
          text: mark?.text,
          thinking: mark?.thinking,
          code: 'network',
          stopReason: 'error',
        })
      }
    },
  )

  it.each(failures)('$name is an error with a code for its status', async ({ status, bytes, expected }) => {
    const { message, error } = await read(responses({ status, bytes }))
    expect(error).toMatchObject({
      code: expected.error?.message.startsWith('Incorrect API key') ? 'auth' : 'invalid',
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
  const { inputTokens, outputTokens, cacheRead, reasoningTokens } = expected.usage
  expect({
    text: textContent(message),
    thinking: thinking(message),
    toolCalls: toolCalls(message).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReasonRaw: rawStopReason,
    stopReason: message.stopReason,
    usage: { ...usage, cacheWriteTokens: 0 },
    complete: error === undefined,
    responseId,
    model,
  }).toEqual({
    text: expected.text,
    thinking: expected.thinkingParts?.join('\n\n') ?? expected.thinking,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReasonRaw: expected.stopReasonRaw,
    stopReason: expected.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
    usage: {
      inputTokens,
      outputTokens,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: 0,
      reasoningTokens,
      raw: expected.usageRaw,
    },
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
    const { type = '', delta = '' } = data === undefined ? {} : JSON.parse(data)
    const { text = '', thinking = '', over = false } = marks.at(-1) ?? {}
    marks.push({
      from: offset + Buffer.byteLength(line.trimEnd()),
      text: type === 'response.output_text.delta' ? text + delta : text,
      thinking: /^response\.reasoning\w*\.delta$/.test(type) ? thinking + delta : thinking,
      over: over || type === 'response.completed',
    })
    offset += Buffer.byteLength(line) + 1
  }
  return marks
}
