import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../src/engine.ts'
import { PipeError } from '../../../src/error.ts'
import { askModel } from '../../../src/hono/chat/model-answer.ts'
import type { Provider } from '../../../src/provider.ts'
import { type Adapter, adaptedProvider } from '../../../src/stream.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

const clock = stillClock()

/** A provider that answers each request with the next of these adapters. */
function provider(name: string, ...adapters: readonly Adapter[]): Provider {
  const queue = [...adapters]
  const next = () => queue.shift() ?? unasked
  return adaptedProvider(name, next, { newId: countingIds(), clock })
}

// biome-ignore lint/correctness/useYield: it fails before its first event.
const unasked: Adapter = async function* () {
  throw new Error('asked once too often')
}

const usage = { inputTokens: 3, outputTokens: 2 }
const overloaded = new PipeError('overloaded', 'too much to do', { details: { should_retry: 'false' } })

function says(words: string): Adapter {
  return async function* () {
    yield { type: 'text_delta', id: 't', delta: words }
    return { stopReason: 'end_turn', usage }
  }
}

function failsAfter(words: string): Adapter {
  return async function* () {
    if (words !== '') yield { type: 'text_delta', id: 't', delta: words }
    throw overloaded
  }
}

function ask(
  main: Provider,
  { other, isStreamed = true }: { readonly other?: Provider; readonly isStreamed?: boolean } = {},
) {
  const fallback: readonly Candidate[] =
    other === undefined ? [] : [{ name: 'other/m', open: async () => ({ provider: other, model: 'm' }) }]
  const question = { systemPrompt: '', messages: [user(text('Hi'))], tools: [] }
  const { signal } = new AbortController()
  const asking = { clock, random: () => 0.5, signal, isStreamed }
  return askModel({ choice: { provider: main, model: 'm' }, fallback }, question, asking).parts
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const part of parts) seen.push(part)
  return seen
}

describe('a model that is asked alone', () => {
  it('numbers its calls, and gives arguments that come whole as one piece', async () => {
    const calls: Adapter = async function* () {
      yield { type: 'tool_call_begin', id: 'a', name: 'add' }
      yield { type: 'tool_call_begin', id: 'b', name: 'now' }
      yield { type: 'tool_call_delta', id: 'a', delta: '{"n":' }
      yield { type: 'tool_call_delta', id: 'a', delta: '1}' }
      return { stopReason: 'tool_use', usage }
    }
    const parts = await all(ask(provider('main', calls)))
    expect(parts.slice(0, -1)).toEqual([
      { type: 'begin' },
      { type: 'call_begin', index: 0, id: 'a', name: 'add' },
      { type: 'call_begin', index: 1, id: 'b', name: 'now' },
      { type: 'call_delta', index: 0, delta: '{"n":' },
      { type: 'call_delta', index: 0, delta: '1}' },
      { type: 'call_delta', index: 1, delta: '{}' },
    ])
    expect(parts.at(-1)).toMatchObject({ type: 'end', end: { stopReason: 'tool_use', usage } })
  })

  it('is replaced by another one if it fails before its first word', async () => {
    const parts = ask(provider('main', failsAfter('')), { other: provider('other', says('Here.')) })
    expect((await all(parts)).slice(0, 2)).toEqual([{ type: 'begin' }, { type: 'text', text: 'Here.' }])
  })

  it('is not replaced once the client has seen a word, but may be if the answer is sent whole', async () => {
    const fails = () => provider('main', failsAfter('Half'))
    const error = await thrown(() => all(ask(fails(), { other: provider('other') })))
    expect(error).toBe(overloaded)
    const parts = ask(fails(), { other: provider('other', says('Whole.')), isStreamed: false })
    const end = (await all(parts)).at(-1)
    expect(end).toMatchObject({ type: 'end', end: { message: { content: [{ text: 'Whole.' }] } } })
  })

  it('is let go of when its reader leaves', async () => {
    let isReleased = false
    const waits: Adapter = async function* (signal) {
      try {
        yield { type: 'text_delta', id: 't', delta: 'One' }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return { stopReason: 'end_turn' }
      } finally {
        isReleased = true
      }
    }
    const parts = ask(provider('main', waits))
    expect([await parts.next(), await parts.next()].map(({ value }) => value?.type)).toEqual([
      'begin',
      'text',
    ])
    await parts.return()
    expect(isReleased).toBe(true)
  })
})
