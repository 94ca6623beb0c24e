import { afterAll, beforeAll, describe, expect } from 'vitest'
import { isPipeError } from '../../src/error.ts'
import { createTransport } from '../../src/http/transport.ts'
import { type AssistantMessage, toolCalls } from '../../src/message.ts'
import type { Provider } from '../../src/provider.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import { pull } from '../support/models/asking.ts'
import type { FakeServer } from '../support/models/fake-server.ts'
import type { Player } from '../support/models/playback.ts'
import type { Wire } from '../support/models/wires.ts'
import {
  type Cuts,
  cutsOf,
  type Expected,
  readRecordings,
  recordingsFolder,
  seeded,
} from '../support/sessions/recordings.ts'
import { quickIt as it, sizedIt } from '../support/thorough.ts'

/** The reader of one dialect's recordings, and the expectations. */
export interface RecordedDialect {
  /** The name of the protocol in the recordings. */
  readonly protocol: string
  /** There must be more recordings than this. */
  readonly count: number
  readonly wire: Wire
  readonly play: Player
  /** The places where a body is cut. */
  readonly cuts: Cuts
  /** Reads one event from its JSON, without the reader under test. */
  readonly said: (json: string) => Partial<Content>
  /** Returns the message's facts besides its content, and the expected ones. */
  readonly facts: (message: AssistantMessage, expected: Expected) => readonly [is: object, wanted: object]
  /** Other forms of the same reply. Each function changes a body with LF line ends. */
  readonly forms?: Readonly<Record<string, (body: string) => string>>
  /** Returns the error code of a failed answer. Default: no failure is recorded. */
  readonly code?: (status: number, body: string) => string
}

interface Content {
  readonly text: string
  readonly thinking: string
  /** The names of the calls that begin. */
  readonly calls: readonly string[]
  /** Whether the reply is over. */
  readonly isOver: boolean
}

type Pulled = Awaited<ReturnType<typeof pull>>

/** The promises of every dialect about the traffic of real servers. Skipped without recordings. */
export function recordingsConformance(dialect: RecordedDialect): void {
  const { protocol, count, wire, play, facts, forms = {}, code } = dialect
  const recordings = readRecordings(protocol)
  const streams = recordings.filter(({ status }) => status === 200)
  const failures = recordings.filter(({ status }) => status !== 200)

  const expectReply = ({ reply, error }: Pulled, expected: Expected) => {
    const [is, wanted] = facts(reply, expected)
    expect({
      ...contentOf(reply),
      calls: toolCalls(reply).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
      rawStopReason: reply.rawStopReason ?? null,
      isComplete: error === undefined,
      ...is,
    }).toEqual({
      text: expected.text,
      thinking: expected.thinking,
      calls: expected.toolCalls.map(({ id, name, arguments: args }) => ({
        id: id ?? expect.stringMatching(/^tool_/),
        name,
        arguments: args,
      })),
      rawStopReason: expected.stopReasonRaw,
      isComplete: expected.complete,
      ...wanted,
    })
    if (expected.error !== undefined)
      expect(error).toMatchObject({ message: expect.stringContaining(expected.error.message) })
  }

  describe.skipIf(recordingsFolder === '')(`recordings of ${protocol}`, () => {
    let server: FakeServer<unknown>
    beforeAll(async () => {
      server = await wire.start()
    })
    afterAll(() => server.close())

    it('exist', () => expect(recordings.length).toBeGreaterThan(count))

    it.each(streams)('$name yields the recorded reply over HTTP', async ({ bytes, expected }) => {
      server.reply({ sse: bytes, chunkSizes: [1, 7, 64, 4096, 1000] })
      const transport = createTransport()
      const { baseUrl } = server
      const ports = { transport, newId: countingIds(), clock: createHandClock() }
      const quirks = { thinkTags: 'none' } as const
      const pulled = await read(wire.connect({ name: 'it', baseUrl, quirks, ...ports }))
      transport.close()
      expectReply(pulled, expected)
      expect(server.violations).toEqual([])
    })

    it.each(streams)('$name yields the same byte by byte', async ({ bytes, expected }) => {
      expectReply(await read(play({ bytes, sizes: [1] })), expected)
    })

    it.each(streams)('$name yields the same in random chunks', async ({ bytes, expected }) => {
      const random = seeded(bytes.length)
      for (let round = 0; round < 2; round++) {
        const sizes = Array.from({ length: 2000 }, () => 1 + Math.floor(random() * 40))
        expectReply(await read(play({ bytes, sizes })), expected)
      }
    })

    for (const [form, change] of Object.entries(forms))
      it.each(streams)(`$name yields the same ${form}`, async ({ bytes, expected }) => {
        const changed = change(bytes.toString().replaceAll('\r\n', '\n'))
        expectReply(await read(play({ bytes: changed, sizes: [5, 3] })), expected)
      })

    sizedIt.each(streams)('$name keeps the partial reply wherever it is cut', async ({ bytes, expected }) => {
      const marks = marksOf(bytes, dialect.said)
      for (const length of cutsOf(bytes, dialect.cuts)) {
        const { text, thinking, calls, isOver } = marks.findLast(({ from }) => from <= length) ?? nothing
        const { reply, error } = await read(play({ bytes: bytes.subarray(0, length) }))
        const begun = toolCalls(reply).map(({ name }) => name)
        const code = isPipeError(error) ? error.code : error
        expect({ length, ...contentOf(reply), calls: begun, code }).toEqual({
          length,
          text,
          thinking,
          calls,
          code: isOver ? undefined : 'network',
        })
        if (!isOver) expect(reply.stopReason).toBe('error')
        expect(expected.text.startsWith(text)).toBe(true)
      }
    })

    it.each(failures)('$name throws an error with a code for its status', async (recording) => {
      const { status, bytes, expected } = recording
      const { reply, error } = await read(play({ status, bytes }))
      expect(error).toMatchObject({
        code: code?.(status, bytes.toString()),
        details: { status: String(status) },
        message: expect.stringContaining(expected.error?.message.slice(0, 250) ?? '?'),
      })
      expect(reply).toMatchObject({ content: [], stopReason: 'error' })
    })
  })
}

async function read(provider: Provider): Promise<Pulled> {
  const pulled = await pull(provider)
  expect(pulled.shown).toBe(contentOf(pulled.reply).text)
  return pulled
}

function contentOf({ content }: AssistantMessage) {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  }
}

interface Mark extends Content {
  /** The offset in bytes from which this mark applies. */
  readonly from: number
}

const nothing: Mark = { from: 0, text: '', thinking: '', calls: [], isOver: false }

/** Returns what a reader must know at each event's last visible byte, line by line. */
function marksOf(bytes: Buffer, said: RecordedDialect['said']): readonly Mark[] {
  const marks: Mark[] = [nothing]
  let offset = 0
  for (const line of bytes.toString().split('\n')) {
    const before = marks.at(-1) ?? nothing
    const [, data] = /^(?:data: ?)?(\{.*\}|\[DONE\])/.exec(line) ?? []
    const isLast = data === '[DONE]'
    const {
      text = '',
      thinking = '',
      calls = [],
      isOver = isLast,
    } = data === undefined || isLast ? {} : said(data)
    marks.push({
      from: offset + Buffer.byteLength(line.trimEnd()),
      text: before.text + text,
      thinking: before.thinking + thinking,
      calls: [...before.calls, ...calls],
      isOver: before.isOver || isOver,
    })
    offset += Buffer.byteLength(line) + 1
  }
  return marks
}
