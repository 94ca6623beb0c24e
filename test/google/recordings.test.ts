import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPipeError } from '../../src/error.ts'
import { createGeminiProvider } from '../../src/google/provider.ts'
import { createTransport } from '../../src/http/transport.ts'
import { type AssistantMessage, textContent, toolCalls } from '../../src/message.ts'
import type { Provider } from '../../src/provider.ts'
import { type FakeServer, startFakeGemini } from '../support/fake-server.ts'
import type { GeminiBody } from '../support/gemini-rules.ts'
import { createHandClock } from '../support/hand-clock.ts'
import { countingIds } from '../support/ids.ts'
import { cuts, type Expected, readRecordings, recordingsFolder, seeded } from '../support/recordings.ts'
import { gemini, request } from './playback.ts'

const recordings = readRecordings('gemini')
const streams = recordings.filter(({ status }) => status === 200)
const failures = recordings.filter(({ status }) => status !== 200)

interface Reply {
  readonly message: AssistantMessage
  readonly error: unknown
}

describe.skipIf(recordingsFolder === '')('recordings of Gemini', () => {
  let server: FakeServer<GeminiBody>
  beforeAll(async () => {
    server = await startFakeGemini()
  })
  afterAll(() => server.close())

  it('are there', () => expect(recordings.length).toBeGreaterThan(15))

  it.each(streams)('$name gives what was recorded, whole, over HTTP', async ({ bytes, expected }) => {
    server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
    const transport = createTransport()
    const ids = { newId: countingIds(), clock: createHandClock() }
    const { baseUrl } = server
    const reply = await read(createGeminiProvider({ name: 'gemini', baseUrl, transport, ...ids }))
    transport.close()
    expectReply(reply, expected)
    expect(server.violations).toEqual([])
  })

  it.each(streams)('$name gives the same byte by byte', async ({ bytes, expected }) => {
    expectReply(await read(gemini({ bytes, sizes: [1] })), expected)
  })

  it.each(streams)('$name gives the same in odd pieces', async ({ bytes, expected }) => {
    const random = seeded(bytes.length)
    for (let round = 0; round < 2; round++) {
      const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
      expectReply(await read(gemini({ bytes, sizes })), expected)
    }
  })

  it.each(streams)('$name gives the same as one list, and with other line ends', async (recording) => {
    const source = recording.bytes.toString().replaceAll('\r\n', '\n')
    const chunks = source.split('\n').flatMap((line) => /(?<=^data: ?)\{.*/.exec(line) ?? [])
    for (const bytes of [source, `[${chunks.join('\r\n,')}]`])
      expectReply(await read(gemini({ bytes, sizes: [5, 3] })), recording.expected)
  })

  it.each(streams)(
    '$name is incomplete wherever it is cut, and keeps what had come',
    async ({ bytes, expected }) => {
      const marks = marksOf(bytes)
      for (const length of cuts(bytes)) {
        const mark = marks.findLast(({ from }) => from <= length)
        const { message, error } = await read(gemini({ bytes: bytes.subarray(0, length) }))
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
    const { message, error } = await read(gemini({ status, bytes }))
    const overflow = /exceeds the maximum number of tokens/.test(bytes.toString())
    const codes = new Map([
      [400, overflow ? 'context_overflow' : 'invalid'],
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
  const { usage, stopReason, rawStopReason = null, responseId, model } = message
  const { inputTokens, outputTokens, reasoningTokens = 0, cacheRead } = expected.usage
  expect({
    text: textContent(message),
    thinking: thinking(message),
    toolCalls: toolCalls(message).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    stopReason,
    stopReasonRaw: rawStopReason,
    usage: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cacheRead: usage.cacheReadTokens,
    },
    usageRaw: usage.raw,
    signed: JSON.stringify(message.content).includes('thoughtSignature'),
    complete: error === undefined,
    responseId,
    model,
  }).toEqual({
    text: expected.text,
    thinking: expected.thinking,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({
      id: id ?? expect.stringMatching(/^tool_/),
      name,
      arguments: args,
    })),
    stopReason: expected.toolCalls.length > 0 ? 'tool_use' : 'end_turn',
    stopReasonRaw: expected.stopReasonRaw,
    usage: {
      inputTokens,
      outputTokens: (outputTokens ?? 0) + (reasoningTokens ?? 0),
      cacheRead: cacheRead ?? undefined,
    },
    usageRaw: expected.usageRaw,
    signed: expected.signaturePresent,
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
    const candidate = data === undefined ? {} : JSON.parse(data).candidates[0]
    const { text = '', thinking = '', over = false } = marks.at(-1) ?? {}
    const said = (thought: boolean) =>
      (candidate.content?.parts ?? [])
        .map((part: { text?: string; thought?: boolean }) =>
          !part.thought === thought ? '' : (part.text ?? ''),
        )
        .join('')
    marks.push({
      from: offset + Buffer.byteLength(line.trimEnd()),
      text: text + said(false),
      thinking: thinking + said(true),
      over: over || candidate.finishReason !== undefined,
    })
    offset += Buffer.byteLength(line) + 1
  }
  return marks
}
