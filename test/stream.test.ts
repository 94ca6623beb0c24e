// biome-ignore lint/style/noRestrictedImports: only this function counts the listeners of a signal.
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPipeError, PipeError } from '../src/error.ts'
import type { StreamEvent } from '../src/event.ts'
import type { AssistantMessage, ContentBlock } from '../src/message.ts'
import type { Stream } from '../src/provider.ts'
import type { AdapterEvent, Finish } from '../src/reply/accumulator.ts'
import { type Adapter, openStream } from '../src/stream.ts'
import { messageId, text, timestamp } from './support/messages/messages.ts'
import { thrown } from './support/thrown.ts'

const speaker = { id: messageId(1), timestamp, provider: 'replay', model: 'script' }
const ended = { done: true, value: undefined }
const hello: AdapterEvent = { type: 'text_delta', id: 'b1', delta: 'hello' }
const world: AdapterEvent = { type: 'text_delta', id: 'b1', delta: ' world' }
const endTurn = { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 2 } } satisfies Finish

function reply(content: readonly ContentBlock[], ending: Partial<AssistantMessage>): AssistantMessage {
  const usage = { inputTokens: 0, outputTokens: 0 }
  return { type: 'assistant', ...speaker, content, stopReason: 'unknown', usage, ...ending }
}

/** A reply that arrives at once. */
function saying(events: readonly AdapterEvent[], finish: Finish = endTurn): Adapter {
  return async function* () {
    yield* events
    return finish
  }
}

/** Says hello, then waits for its signal and fails on it like a connection. `log` records its end. */
function hanging(log: string[] = []): Adapter {
  return async function* (signal) {
    log.push('connected')
    try {
      yield hello
      await new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      return endTurn
    } finally {
      log.push('disconnected')
    }
  }
}

function failing(error: unknown): Adapter {
  return async function* () {
    yield hello
    throw error
  }
}

/** Opens a stream that is closed after the test. */
function open(adapter: Adapter, signal: AbortSignal = new AbortController().signal): Stream {
  const stream = openStream(adapter, speaker, signal)
  onTestFinished(() => stream.close())
  return stream
}

async function drain(stream: Stream): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('the message of a stream', () => {
  it('throws before the first next()', async () => {
    const stream = open(saying([hello]))
    expect(await thrown(() => stream.message())).toMatchObject({ code: 'conflict' })
  })

  it('grows with the deltas', async () => {
    const stream = open(saying([hello, world]))
    expect(await stream.next()).toEqual({ done: false, value: hello })
    expect(stream.message()).toEqual(reply([text('hello')], {}))
    expect(await stream.next()).toEqual({ done: false, value: world })
    expect(stream.message()).toEqual(reply([text('hello world')], {}))
  })

  it('is available while the first next() is pending', async () => {
    const stream = open(hanging())
    const first = stream.next()
    expect(stream.message()).toEqual(reply([], {}))
    await first
  })

  it('is complete after the end, and stays complete', async () => {
    const stream = open(saying([hello, world]))
    expect(await drain(stream)).toEqual([hello, world])
    const complete = reply([text('hello world')], endTurn)
    expect(stream.message()).toEqual(complete)
    expect(await stream.next()).toEqual(ended)
    await stream.close()
    expect(await stream.next()).toEqual(ended)
    expect(stream.message()).toEqual(complete)
  })

  it('is partial with stop reason error after an error', async () => {
    const stream = open(failing(new Error('reset')))
    await thrown(() => drain(stream))
    expect(stream.message()).toEqual(reply([text('hello')], { stopReason: 'error' }))
  })

  it('is partial with stop reason aborted after an abort and after a close', async () => {
    const controller = new AbortController()
    const [interrupted, closed] = [open(hanging(), controller.signal), open(hanging())]
    await interrupted.next()
    await closed.next()
    controller.abort()
    await thrown(() => interrupted.next())
    await closed.close()
    const partial = reply([text('hello')], { stopReason: 'aborted' })
    expect([interrupted.message(), closed.message()]).toEqual([partial, partial])
  })
})

describe('the events of a stream', () => {
  it('exclude adapter events that only concern the message', async () => {
    const stream = open(
      saying([
        { type: 'block_meta', id: 't', signature: 's' },
        { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
        { type: 'text_delta', id: 'b1', delta: '' },
        hello,
      ]),
    )
    expect(await drain(stream)).toEqual([hello])
  })

  it('join the neighbouring deltas of one read, but never wait for another', async () => {
    const again: AdapterEvent = { type: 'text_delta', id: 'b1', delta: ' again' }
    const stream = open(async function* () {
      yield [hello, world]
      yield again
      yield again
      return endTurn
    })
    expect(await stream.next()).toEqual({
      done: false,
      value: { type: 'text_delta', id: 'b1', delta: 'hello world' },
    })
    expect(stream.message()).toEqual(reply([text('hello world')], {}))
    expect(await drain(stream)).toEqual([again, again])
  })

  it('end calls that the adapter left open', async () => {
    const stream = open(
      saying([
        { type: 'tool_call_begin', id: 'a', name: 'read' },
        { type: 'tool_call_begin', id: 'b', name: 'glob' },
      ]),
    )
    const ends = (await drain(stream)).slice(2)
    expect(ends).toEqual([
      { type: 'tool_call_end', call: { type: 'tool_call', id: 'a', name: 'read', arguments: {} } },
      { type: 'tool_call_end', call: { type: 'tool_call', id: 'b', name: 'glob', arguments: {} } },
    ])
  })

  it('reject a second iterator', async () => {
    const stream = open(saying([hello]))
    stream[Symbol.asyncIterator]()
    expect(await thrown(() => stream[Symbol.asyncIterator]())).toMatchObject({ code: 'conflict' })
  })

  it('reject a next() while another is pending, at any moment', async () => {
    const stream = open(saying([{ type: 'block_meta', id: 't' }, { type: 'block_meta', id: 'u' }, hello]))
    let pending = true
    const first = stream.next().finally(() => {
      pending = false
    })
    const others: Promise<unknown>[] = []
    while (pending) {
      others.push(stream.next().catch((error: unknown) => error))
      await Promise.resolve()
    }
    expect(await first).toEqual({ done: false, value: hello })
    // The last one may start after the first has settled.
    const refused = (await Promise.all(others)).slice(0, -1)
    expect(refused.length).toBeGreaterThan(3)
    expect(refused.filter((other) => !isPipeError(other))).toEqual([])
  })

  it('continue after a rejected next()', async () => {
    const stream = open(saying([hello, world]))
    const first = stream.next()
    expect(await thrown(() => stream.next())).toMatchObject({ code: 'conflict' })
    expect([await first, await stream.next(), await stream.next()]).toEqual([
      { done: false, value: hello },
      { done: false, value: world },
      ended,
    ])
  })
})

describe('an error of a stream', () => {
  it.each([new PipeError('network', 'reset by peer'), new TypeError('a bug'), 'a string'])(
    'is thrown unchanged, and again by every later next(): %s',
    async (error) => {
      const stream = open(failing(error))
      await stream.next()
      expect(await thrown(() => stream.next())).toBe(error)
      expect(await thrown(() => stream.next())).toBe(error)
      await stream.close()
      expect(await thrown(() => stream.next())).toBe(error)
    },
  )

  it('is protocol if the adapter breaks the delta rules', async () => {
    const stream = open(saying([{ type: 'tool_call_delta', id: 'nobody', delta: '{' }]))
    expect(await thrown(() => stream.next())).toMatchObject({ code: 'protocol' })
  })
})

describe('an abort', () => {
  it('before the first next() throws aborted without connecting', async () => {
    const log: string[] = []
    const stream = open(hanging(log), AbortSignal.abort())
    expect(await thrown(() => stream.next())).toMatchObject({ name: 'PipeError', code: 'aborted' })
    await stream.close()
    expect(log).toEqual([])
  })

  it('between two pulls throws aborted at the next one, with the reason as cause', async () => {
    const controller = new AbortController()
    const stream = open(saying([hello, world]), controller.signal)
    await stream.next()
    controller.abort('enough')
    const error = await thrown(() => stream.next())
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough' })
    expect(await thrown(() => stream.next())).toBe(error)
  })

  it('during a pull settles it, ends the connection and throws aborted instead of the adapter’s error', async () => {
    const log: string[] = []
    const controller = new AbortController()
    const stream = open(hanging(log), controller.signal)
    await stream.next()
    const pending = thrown(() => stream.next())
    controller.abort()
    expect(await pending).toMatchObject({ code: 'aborted' })
    await stream.close()
    expect(log).toEqual(['connected', 'disconnected'])
  })

  it('reaches the adapter at once, with its reason', async () => {
    const controller = new AbortController()
    const heard: unknown[] = []
    const stream = open(async function* (signal) {
      signal.addEventListener('abort', () => heard.push(signal.reason))
      yield hello
      return endTurn
    }, controller.signal)
    await stream.next()
    controller.abort('enough')
    expect(heard).toEqual(['enough'])
  })

  it('throws its reason if that is a PipeError', async () => {
    const reason = new PipeError('timeout', 'the time is up')
    const stream = open(hanging(), AbortSignal.abort(reason))
    expect(await thrown(() => stream.next())).toBe(reason)
    expect(stream.message().stopReason).toBe('aborted')
  })

  it('after the end changes nothing', async () => {
    const controller = new AbortController()
    const stream = open(saying([hello]), controller.signal)
    await drain(stream)
    controller.abort()
    expect(await stream.next()).toEqual(ended)
    expect(stream.message()).toEqual(reply([text('hello')], endTurn))
  })

  it('settles next() even if the adapter ignores it, and so does close()', async () => {
    const deaf: Adapter = async function* () {
      await new Promise(() => {})
      yield hello
      return endTurn
    }
    const controller = new AbortController()
    const aborted = openStream(deaf, speaker, controller.signal)
    const closed = openStream(deaf, speaker, new AbortController().signal)
    const [first, second] = [thrown(() => aborted.next()), closed.next()]
    controller.abort()
    // It waits for the adapter, which never returns.
    void closed.close()
    expect(await first).toMatchObject({ code: 'aborted' })
    expect(await second).toEqual(ended)
  })
})

describe('close()', () => {
  it('may be called before the first next(), and repeatedly', async () => {
    const log: string[] = []
    const stream = open(hanging(log))
    await Promise.all([stream.close(), stream.close()])
    await stream.close()
    expect(await stream.next()).toEqual(ended)
    expect(log).toEqual([])
  })

  it('ends a pending next(), and resolves after the adapter’s cleanup', async () => {
    const log: string[] = []
    const stream = open(hanging(log))
    await stream.next()
    const pending = stream.next()
    await stream.close()
    expect(log).toEqual(['connected', 'disconnected'])
    expect(await pending).toEqual(ended)
    expect(await stream.next()).toEqual(ended)
  })

  it('stops all events, at any moment of a pull', async () => {
    for (let ticks = 0; ticks < 12; ticks++) {
      const stream = open(
        saying([
          { type: 'tool_call_begin', id: 'a', name: 'read' },
          { type: 'tool_call_begin', id: 'b', name: 'glob' },
        ]),
      )
      await stream.next()
      await stream.next()
      const pending = stream.next()
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      await stream.close()
      await pending
      expect(await stream.next()).toEqual(ended)
    }
  })

  it('keeps the message of an ended reply, but stops its events', async () => {
    const stream = open(
      saying([
        { type: 'tool_call_begin', id: 'a', name: 'read' },
        { type: 'tool_call_begin', id: 'b', name: 'glob' },
      ]),
    )
    for (let pulls = 0; pulls < 3; pulls++) await stream.next()
    await stream.close()
    expect(await stream.next()).toEqual(ended)
    expect(stream.message().stopReason).toBe('end_turn')
  })

  it('runs the cleanup of an unfinished adapter, also on break', async () => {
    const log: string[] = []
    for await (const event of open(hanging(log))) {
      expect(event).toEqual(hello)
      break
    }
    expect(log).toEqual(['connected', 'disconnected'])
  })

  it('runs on disposal', async () => {
    const log: string[] = []
    const stream = open(hanging(log))
    await stream.next()
    await stream[Symbol.asyncDispose]()
    expect(log).toEqual(['connected', 'disconnected'])
  })

  it.each([
    ['the reason of the abort', (signal: AbortSignal): unknown => signal.reason],
    ['an AbortError', () => new DOMException('stopped', 'AbortError')],
    ['aborted', () => new PipeError('aborted', 'interrupted')],
  ])('swallows the abort that it caused: %s', async (_, makeError) => {
    const stream = open(async function* (signal) {
      try {
        yield hello
        return endTurn
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: this is how a broken connection behaves.
        throw makeError(signal)
      }
    })
    await stream.next()
    expect(await stream.close()).toBeUndefined()
  })

  it('throws other cleanup errors, once', async () => {
    const bug = new TypeError('a bug')
    const stream = open(async function* () {
      try {
        yield hello
        return endTurn
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: a fault while cleaning up is what is tested.
        throw bug
      }
    })
    await stream.next()
    expect(await thrown(() => stream.close())).toBe(bug)
    expect(await stream.close()).toBeUndefined()
  })
})

describe('the outside signal', () => {
  const endings: Record<string, (stream: Stream) => Promise<unknown>> = {
    'its end': drain,
    'a close': (stream) => stream.close(),
    'a close in the middle': async (stream) => {
      await stream.next()
      await stream.close()
    },
  }

  it.each(Object.entries(endings))('has no listener left after %s', async (_, finish) => {
    const { signal } = new AbortController()
    const stream = open(saying([hello, world]), signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await finish(stream)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('has no listener left after an error', async () => {
    const { signal } = new AbortController()
    await thrown(() => drain(open(failing(new Error('reset')), signal)))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
