import { describe, expect, it, onTestFinished } from 'vitest'
import type { StreamEvent } from '../../src/event.ts'
import { type AssistantMessage, textContent, toolCalls } from '../../src/message.ts'
import { complete, type Provider, type Request, type Stream } from '../../src/provider.ts'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { assistant, call, text, toolResult, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'

/** The script of the provider's next stream. */
export interface ScriptedReply {
  readonly blocks: readonly ScriptBlock[]
  /** After the blocks: end, fail with `overloaded`, or hang until released. */
  readonly ending: 'end' | 'fail' | 'hang'
}

/** One provider for one test. Its resources are closed afterwards. */
export interface ProviderSubject {
  readonly provider: Provider
  /** The number of replies started: connections, plays. */
  begun(): number
  /** Resolves once a hanging reply is released: its socket is closed, its wait is over. */
  released(): Promise<void>
}

const words: ScriptedReply = {
  blocks: [
    { type: 'thinking', thinking: 'First I look, then I speak.' },
    { type: 'text', text: 'Grüße, 世界 🌍 and more.' },
    { type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'a b.txt', lines: [1, 2] } },
  ],
  ending: 'end',
}
const hanging: ScriptedReply = { blocks: [{ type: 'text', text: 'Half a' }], ending: 'hang' }
const failing: ScriptedReply = { blocks: [{ type: 'text', text: 'Half a' }], ending: 'fail' }

const request: Request = {
  model: 'asked',
  systemPrompt: 'Be brief.',
  messages: [user(text('hello'))],
  tools: [],
}

/** The promises of every provider. `create` returns one that plays the given reply. */
export function providerConformance(
  name: string,
  create: (reply: ScriptedReply) => Promise<ProviderSubject>,
): void {
  /** A stream of a fresh provider, closed at the test's end. */
  const open = async (reply: ScriptedReply) => {
    const subject = await create(reply)
    const abort = new AbortController()
    const stream = subject.provider.stream(request, { signal: abort.signal })
    onTestFinished(() => stream.close())
    return { subject, stream, abort }
  }
  /** Opens a hanging stream with a pending pull. */
  const openWaiting = async () => {
    const opened = await open(hanging)
    const seen = await readUntil(opened.stream, 'Half a')
    return { ...opened, seen, pending: opened.stream.next() }
  }

  describe(`${name} as a provider`, () => {
    it('streams the script in deltas, and returns the same as a message', async () => {
      const { stream } = await open(words)
      const events: StreamEvent[] = []
      for await (const event of stream) events.push(event)
      const message = stream.message()
      expect(message).toMatchObject({ type: 'assistant', stopReason: 'tool_use' })
      expect(said(message)).toEqual({
        thinking: 'First I look, then I speak.',
        text: 'Grüße, 世界 🌍 and more.',
        calls: [
          { type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'a b.txt', lines: [1, 2] } },
        ],
      })
      expect(shown(events)).toEqual(said(message))
    })

    it('starts nothing before the first pull', async () => {
      const { subject, stream } = await open(words)
      expect(subject.begun()).toBe(0)
      await stream.next()
      expect(subject.begun()).toBe(1)
    })

    it('has no message before the first pull', async () => {
      const { stream } = await open(words)
      expect(await thrown(() => stream.message())).toMatchObject({ code: 'conflict' })
    })

    it('has the message so far between two pulls', async () => {
      const { stream } = await open(words)
      const seen = await readUntil(stream, '世')
      expect(textContent(stream.message())).toBe(seen)
    })

    it('stays at its end', async () => {
      const { stream } = await open(words)
      for await (const _ of stream);
      const message = stream.message()
      expect(await stream.next()).toEqual({ done: true, value: undefined })
      await stream.close()
      expect(stream.message()).toEqual(message)
    })

    it('throws a failure, throws it again, and keeps the partial message', async () => {
      const { stream } = await open(failing)
      const error = await thrown(() => readUntil(stream, 'more'))
      expect(error).toMatchObject({ name: 'PipeError', code: 'overloaded' })
      expect(await thrown(() => stream.next())).toBe(error)
      expect(stream.message()).toMatchObject({ content: [text('Half a')], stopReason: 'error' })
    })

    it('starts nothing if the signal has already fired', async () => {
      const { subject, stream, abort } = await open(words)
      abort.abort()
      expect(await thrown(() => stream.next())).toMatchObject({ code: 'aborted' })
      expect(subject.begun()).toBe(0)
      expect(stream.message()).toMatchObject({ content: [], stopReason: 'aborted' })
    })

    it('ends a pending pull when the signal fires, keeps the partial message and releases the reply', async () => {
      const { subject, stream, abort, pending } = await openWaiting()
      abort.abort()
      const error = await thrown(() => pending)
      expect(error).toMatchObject({ code: 'aborted' })
      expect(await thrown(() => stream.next())).toBe(error)
      expect(stream.message()).toMatchObject({ content: [text('Half a')], stopReason: 'aborted' })
      await subject.released()
    })

    it('ignores a signal that fires after the end', async () => {
      const { stream, abort } = await open(words)
      for await (const _ of stream);
      const message = stream.message()
      abort.abort()
      expect(await stream.next()).toEqual({ done: true, value: undefined })
      expect(stream.message()).toEqual(message)
    })

    it('ends a pending pull when closed, any number of times, and releases the reply', async () => {
      const { subject, stream, pending } = await openWaiting()
      await Promise.all([stream.close(), stream.close()])
      await stream.close()
      expect(await pending).toEqual({ done: true, value: undefined })
      expect(await stream.next()).toEqual({ done: true, value: undefined })
      expect(stream.message()).toMatchObject({ content: [text('Half a')], stopReason: 'aborted' })
      await subject.released()
    })

    it('releases the reply when its consumer leaves early', async () => {
      const { subject, stream } = await open(hanging)
      for await (const _ of stream) break
      await subject.released()
    })

    it('accepts one consumer', async () => {
      const { stream, pending } = await openWaiting()
      expect(await thrown(() => stream.next())).toMatchObject({ code: 'conflict' })
      stream[Symbol.asyncIterator]()
      expect(await thrown(() => stream[Symbol.asyncIterator]())).toMatchObject({ code: 'conflict' })
      await stream.close()
      await pending
    })

    it('rejects an invalid request at once', async () => {
      const { subject } = await open(words)
      const { signal } = new AbortController()
      const ask = (bad: Partial<Request>) =>
        thrown(() => subject.provider.stream({ ...request, ...bad }, { signal }))
      expect(await ask({ messages: [] })).toMatchObject({ code: 'invalid', details: { field: 'messages' } })
      expect(await ask({ temperature: 3 })).toMatchObject({ details: { field: 'temperature' } })
      expect(await ask({ messages: [user(text('a')), assistant(call('x'))] })).toMatchObject({
        details: { field: 'messages' },
      })
      expect(await ask({ messages: [toolResult('x', text('a'))] })).toMatchObject({ code: 'invalid' })
      expect(subject.begun()).toBe(0)
    })

    it('can be drained by complete()', async () => {
      const { subject } = await open(words)
      const message = await complete(subject.provider, request, { signal: new AbortController().signal })
      expect(said(message).text).toBe('Grüße, 世界 🌍 and more.')
    })
  })
}

/** Pulls until this text has arrived, and returns all text so far. */
async function readUntil(stream: Stream, end: string): Promise<string> {
  let seen = ''
  while (!seen.includes(end)) {
    const step = await stream.next()
    if (step.done) throw new Error(`the stream ended after: ${seen}`)
    if (step.value.type === 'text_delta') seen += step.value.delta
  }
  return seen
}

/** The content of a message without provider data. */
function said(message: AssistantMessage) {
  const thinking = message.content.map((block) => (block.type === 'thinking' ? block.thinking : ''))
  const calls = toolCalls(message).map(({ providerData: _, ...call }) => call)
  return { thinking: thinking.join(''), text: textContent(message), calls }
}

function shown(events: readonly StreamEvent[]) {
  const of = (type: 'text_delta' | 'thinking_delta') =>
    events.map((event) => (event.type === type ? event.delta : '')).join('')
  const calls = events.flatMap((event) => (event.type === 'tool_call_end' ? [event.call] : []))
  return { thinking: of('thinking_delta'), text: of('text_delta'), calls }
}
