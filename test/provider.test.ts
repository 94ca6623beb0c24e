import { describe, expect, it } from 'vitest'
import { isPipeError, PipeError } from '../src/error.ts'
import { complete, type Provider, type Request, validateHistory, validateRequest } from '../src/provider.ts'
import type { AdapterEvent, Finish } from '../src/reply/accumulator.ts'
import { type Adapter, openStream } from '../src/stream.ts'
import type { Tool } from '../src/tool.ts'
import { assistant, call, messageId, text, timestamp, toolResult, user } from './support/messages/messages.ts'
import { thrown } from './support/thrown.ts'

const question = user(text('Fix the login bug'))
const request: Request = { model: 'script', systemPrompt: '', messages: [question], tools: [] }

/** Returns the details of the rejection; `undefined` if the check passes. */
function refusal(check: () => void): unknown {
  try {
    check()
    return undefined
  } catch (error) {
    if (isPipeError(error)) return { code: error.code, ...error.details }
    throw error
  }
}

function tool(name: string): Tool {
  return { name, description: '', parameters: {}, capability: 'tool_read_file', readOnly: () => true }
}

describe('a request', () => {
  const asking = (changes: Partial<Request>) => refusal(() => validateRequest({ ...request, ...changes }))

  it.each([0, 0.7, 2])('may have temperature %d', (temperature) => {
    expect(asking({ temperature })).toBeUndefined()
  })

  it.each([-0.01, 2.01, Number.NaN, Number.POSITIVE_INFINITY])(
    'may not have temperature %d',
    (temperature) => {
      const reason = `temperature must be between 0 and 2, not ${temperature}`
      expect(asking({ temperature })).toEqual({ code: 'invalid', field: 'temperature', reason })
    },
  )

  it.each([1, 4096])('may ask for at most %d tokens', (maxTokens) => {
    expect(asking({ maxTokens })).toBeUndefined()
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'may not ask for at most %d tokens',
    (maxTokens) => {
      const reason = `max tokens must be a whole number above 0, not ${maxTokens}`
      expect(asking({ maxTokens })).toEqual({ code: 'invalid', field: 'max_tokens', reason })
    },
  )

  it('may omit tokens and temperature', () => {
    expect(asking({ model: '' })).toBeUndefined()
  })

  it('needs a message', () => {
    const reason = 'a request needs at least one message'
    expect(asking({ messages: [] })).toEqual({ code: 'invalid', field: 'messages', reason })
  })

  it('needs unique tool names', () => {
    expect(asking({ tools: [tool('read'), tool('write')] })).toBeUndefined()
    const reason = 'two tools have the same name'
    expect(asking({ tools: [tool('read'), tool('read')] })).toEqual({
      code: 'invalid',
      field: 'tools',
      reason,
    })
  })

  it('needs a result for every call in the history', () => {
    expect(asking({ messages: [question, assistant(call('a'))] })).toMatchObject({ field: 'messages' })
  })
})

describe('a history', () => {
  const answer = (id: string) => toolResult(id, text('done'))
  const twoCalls = assistant(text('I look.'), call('a'), call('b'))

  it.each([
    ['no calls', [question, assistant(text('Hello')), question]],
    ['results in call order', [question, twoCalls, answer('a'), answer('b'), question]],
    ['results in another order', [question, twoCalls, answer('b'), answer('a')]],
    [
      'an id used again in a later round',
      [assistant(call('a')), answer('a'), assistant(call('a')), answer('a')],
    ],
    ['no messages', []],
  ])('with %s is valid', (_, messages) => {
    expect(refusal(() => validateHistory(messages))).toBeUndefined()
  })

  it.each([
    ['a call without a result at the end', [twoCalls, answer('a')], 'tool call b has no result'],
    [
      'a call without a result before the next message',
      [twoCalls, answer('b'), question],
      'tool call a has no result',
    ],
    [
      'a result without a call',
      [question, answer('a')],
      'tool result a has no call in the message before it',
    ],
    [
      'a second result of one call',
      [assistant(call('a')), answer('a'), answer('a')],
      'tool result a has no call in the message before it',
    ],
    [
      'a result of an earlier reply',
      [assistant(call('a')), answer('a'), assistant(call('b')), answer('a')],
      'tool result a has no call in the message before it',
    ],
    [
      'two calls of one id in one message',
      [assistant(call('a'), call('a')), answer('a')],
      'two calls of one message have the same id',
    ],
  ])('with %s is rejected', (_, messages, reason) => {
    expect(refusal(() => validateHistory(messages))).toEqual({ code: 'invalid', field: 'messages', reason })
  })
})

describe('complete()', () => {
  const speaker = { id: messageId(1), timestamp, provider: 'replay', model: 'script' }
  const finish: Finish = { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } }
  const { signal } = new AbortController()
  const hello: AdapterEvent = { type: 'text_delta', id: 'b', delta: 'hello' }

  /** Sends text, fails if told to, and records the end of its connection. */
  function provider(log: string[], event: AdapterEvent = hello, failure?: PipeError): Provider {
    const adapter: Adapter = async function* () {
      try {
        yield event
        if (failure !== undefined) throw failure
        return finish
      } finally {
        log.push('disconnected')
      }
    }
    return { name: 'replay', stream: (_, options) => openStream(adapter, speaker, options.signal) }
  }

  it('returns the whole reply and ends the connection', async () => {
    const log: string[] = []
    expect(await complete(provider(log), request, { signal })).toEqual({
      type: 'assistant',
      ...speaker,
      content: [text('hello')],
      ...finish,
    })
    expect(log).toEqual(['disconnected'])
  })

  it('throws what the stream throws', async () => {
    const log: string[] = []
    const failure = new PipeError('overloaded', 'try later')
    expect(await thrown(() => complete(provider(log, hello, failure), request, { signal }))).toBe(failure)
    expect(log).toEqual(['disconnected'])
  })

  it('ends the connection if the server breaks its protocol', async () => {
    const log: string[] = []
    const broken = provider(log, { type: 'call_complete', id: 'nobody' })
    expect(await thrown(() => complete(broken, request, { signal }))).toMatchObject({ code: 'protocol' })
    expect(log).toEqual(['disconnected'])
  })

  it('throws aborted when its signal fires', async () => {
    const options = { signal: AbortSignal.abort() }
    expect(await thrown(() => complete(provider([]), request, options))).toMatchObject({ code: 'aborted' })
  })
})
