import { strict as assert } from 'node:assert'
import { isPipeError } from '../error.ts'
import type { StreamEvent } from '../event.ts'
import type { JsonValue } from '../json-value.ts'
import { type AssistantMessage, textContent, toolCalls } from '../message.ts'
import { complete, type Provider, type Request, type Stream } from '../provider.ts'
import { assistant, call, sampleText, toolResult, user } from './sample-messages.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** The reply that the provider's next stream must give. */
export interface ScriptedReply {
  readonly blocks: readonly ReplyBlock[]
  /** After the blocks: end, fail with `overloaded`, or hang until released. */
  readonly ending: 'end' | 'fail' | 'hang'
}

export type ReplyBlock =
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      readonly arguments: JsonValue
    }

/** One provider for one case. */
export interface ProviderSubject {
  readonly provider: Provider
  /** The number of replies started: connections, plays. */
  begun(): number
  /** Resolves once a hanging reply is released: its socket is closed, its wait is over. */
  released(): Promise<void>
  /** Releases what the subject uses. Default: nothing. */
  close?(): Promise<void>
}

const fullReply = {
  thinking: 'First I look, then I speak.',
  text: 'Grüße, 世界 🌍 and more.',
  calls: [{ type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'a b.txt', lines: [1, 2] } }],
} as const
const words: ScriptedReply = {
  blocks: [
    { type: 'thinking', thinking: fullReply.thinking },
    { type: 'text', text: fullReply.text },
    ...fullReply.calls,
  ],
  ending: 'end',
}
const half = [{ type: 'text', text: 'Half a' }] as const
const hanging: ScriptedReply = { blocks: half, ending: 'hang' }
const failing: ScriptedReply = { blocks: half, ending: 'fail' }

const request: Request = {
  model: 'asked',
  systemPrompt: 'Be brief.',
  messages: [user(sampleText('hello'))],
  tools: [],
}

interface Opened {
  readonly subject: ProviderSubject
  readonly stream: Stream
  readonly abort: AbortController
}

/** The promises of every provider. `create` returns one that plays the given reply; a case creates one. */
export function providerConformance(
  create: (reply: ScriptedReply) => Promise<ProviderSubject>,
): readonly ConformanceCase[] {
  /** Makes a case about one stream. */
  const about = (reply: ScriptedReply, name: string, check: (opened: Opened) => Promise<void>) => ({
    name,
    run: async () => {
      const subject = await create(reply)
      try {
        const abort = new AbortController()
        const stream = subject.provider.stream(request, { signal: abort.signal })
        try {
          await check({ subject, stream, abort })
        } finally {
          await stream.close()
        }
      } finally {
        await subject.close?.()
      }
    },
  })
  return [
    about(words, 'streams the reply in deltas, and returns the same as a message', async ({ stream }) => {
      const events: StreamEvent[] = []
      for await (const event of stream) events.push(event)
      const message = stream.message()
      assert.deepEqual([message.type, message.stopReason], ['assistant', 'tool_use'])
      assert.deepEqual(said(message), fullReply)
      assert.deepEqual(shown(events), fullReply)
    }),
    about(words, 'starts nothing before the first pull', async ({ subject, stream }) => {
      assert.equal(subject.begun(), 0)
      await stream.next()
      assert.equal(subject.begun(), 1)
    }),
    about(words, 'has no message before the first pull', async ({ stream }) => {
      await throwsCode('conflict', () => stream.message())
    }),
    about(words, 'returns the partial message between two pulls', async ({ stream }) => {
      const seen = await readUntil(stream, '世')
      assert.equal(textContent(stream.message()), seen)
    }),
    about(words, 'stays ended', async ({ stream }) => {
      const message = await drain(stream)
      assert.deepEqual(await stream.next(), ended)
      await stream.close()
      assert.deepEqual(stream.message(), message)
    }),
    about(failing, 'throws a failure, throws it again, and keeps the partial message', async ({ stream }) => {
      const error = await throwsCode('overloaded', () => readUntil(stream, 'more'))
      assert.equal(await throwsCode('overloaded', () => stream.next()), error)
      isPartial(stream, 'error')
    }),
    about(words, 'starts nothing if the signal has already fired', async ({ subject, stream, abort }) => {
      abort.abort()
      await throwsCode('aborted', () => stream.next())
      assert.equal(subject.begun(), 0)
      const { content, stopReason } = stream.message()
      assert.deepEqual([content, stopReason], [[], 'aborted'])
    }),
    about(
      hanging,
      'ends a pending pull when the signal fires, keeps the partial message and releases the reply',
      async ({ subject, stream, abort }) => {
        await readUntil(stream, 'Half a')
        const pending = stream.next()
        abort.abort()
        const error = await throwsCode('aborted', () => pending)
        assert.equal(await throwsCode('aborted', () => stream.next()), error)
        isPartial(stream, 'aborted')
        await subject.released()
      },
    ),
    about(words, 'ignores a signal that fires after the end', async ({ stream, abort }) => {
      const message = await drain(stream)
      abort.abort()
      assert.deepEqual(await stream.next(), ended)
      assert.deepEqual(stream.message(), message)
    }),
    about(
      hanging,
      'ends a pending pull when closed, any number of times, and releases the reply',
      async ({ subject, stream }) => {
        await readUntil(stream, 'Half a')
        const pending = stream.next()
        await Promise.all([stream.close(), stream.close()])
        await stream.close()
        assert.deepEqual(await pending, ended)
        assert.deepEqual(await stream.next(), ended)
        isPartial(stream, 'aborted')
        await subject.released()
      },
    ),
    about(hanging, 'releases the reply when its consumer leaves early', async ({ subject, stream }) => {
      for await (const _ of stream) break
      await subject.released()
    }),
    about(hanging, 'rejects a second consumer', async ({ stream }) => {
      await readUntil(stream, 'Half a')
      const pending = stream.next()
      await throwsCode('conflict', () => stream.next())
      stream[Symbol.asyncIterator]()
      await throwsCode('conflict', () => stream[Symbol.asyncIterator]())
      await stream.close()
      await pending
    }),
    about(words, 'rejects an invalid request at once', async ({ subject }) => {
      const { signal } = new AbortController()
      const refused = async (bad: Partial<Request>, field: string) => {
        const error = await throwsCode('invalid', () =>
          subject.provider.stream({ ...request, ...bad }, { signal }),
        )
        assert.equal(isPipeError(error) && error.details['field'], field)
      }
      await refused({ messages: [] }, 'messages')
      await refused({ temperature: 3 }, 'temperature')
      await refused({ messages: [user(sampleText('a')), assistant(call('x'))] }, 'messages')
      await refused({ messages: [toolResult('x', sampleText('a'))] }, 'messages')
      assert.equal(subject.begun(), 0)
    }),
    about(words, 'can be drained by complete()', async ({ subject }) => {
      const { signal } = new AbortController()
      assert.equal(said(await complete(subject.provider, request, { signal })).text, fullReply.text)
    }),
  ]
}

const ended = { done: true, value: undefined }

/** Checks the message of a reply that broke off after half a sentence. */
function isPartial(stream: Stream, reason: string): void {
  const message = stream.message()
  assert.deepEqual([textContent(message), message.stopReason], ['Half a', reason])
}

async function drain(stream: Stream): Promise<AssistantMessage> {
  for await (const _ of stream);
  return stream.message()
}

/** Pulls until this text has arrived, and returns all text so far. */
async function readUntil(stream: Stream, end: string): Promise<string> {
  let seen = ''
  while (!seen.includes(end)) {
    const step = await stream.next()
    if (step.done) assert.fail(`the stream ended after: ${seen}`)
    if (step.value.type === 'text_delta') seen += step.value.delta
  }
  return seen
}

/** The content of a message without provider data. */
function said(message: AssistantMessage) {
  const thinking = message.content.map((block) => (block.type === 'thinking' ? block.thinking : ''))
  const calls = toolCalls(message).map(({ providerData: _, ...block }) => block)
  return { thinking: thinking.join(''), text: textContent(message), calls }
}

function shown(events: readonly StreamEvent[]) {
  const of = (type: 'text_delta' | 'thinking_delta') =>
    events.map((event) => (event.type === type ? event.delta : '')).join('')
  const calls = events.flatMap((event) => (event.type === 'tool_call_end' ? [event.call] : []))
  return {
    thinking: of('thinking_delta'),
    text: of('text_delta'),
    calls: calls.map(({ providerData: _, ...block }) => block),
  }
}
