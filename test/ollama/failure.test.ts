import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { complete, type Provider } from '../../src/provider.ts'
import { text, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'
import { done, lines, ollama } from './playback.ts'

const request = { model: 'm-1', systemPrompt: '', messages: [user(text('hello'))], tools: [] }
const { signal } = new AbortController()
const failure = (provider: Provider) => thrown(() => complete(provider, request, { signal }))

const said = (error: string) => JSON.stringify({ error })
const half = { message: { role: 'assistant', content: 'Half' }, done: false }
const tooLong = 'request (2622 tokens) exceeds the available context size (512 tokens), try increasing it'

describe('a status that is no success', () => {
  it.each<[number, string, string]>([
    [404, "model 'm-1' not found", 'not_found'],
    [400, 'registry.ollama.ai/library/m-1 does not support tools', 'invalid'],
    [400, 'the input length exceeds the context length', 'context_overflow'],
    [400, JSON.stringify({ error: { code: 400, message: tooLong } }), 'context_overflow'],
    [401, 'unauthorized', 'auth'],
    [429, 'you have reached your hourly usage limit', 'rate_limited'],
    [500, 'model requires more system memory (9.0 GiB) than is available (7.0 GiB)', 'overloaded'],
    [503, 'server busy, please try again. maximum pending requests exceeded', 'overloaded'],
  ])('%i %s is %s', async (status, message, code) => {
    expect(await failure(ollama({ status, bytes: said(message) }))).toMatchObject({
      name: 'PipeError',
      code,
      message: expect.stringContaining(message),
      details: { status: String(status) },
    })
  })
})

describe('an error inside a stream', () => {
  it.each<[string, string, string]>([
    ['the runner that died', 'an error was encountered while running the model', 'overloaded'],
    ['an overflow', tooLong, 'context_overflow'],
  ])('may tell of %s, and what had come is kept', async (_, message, code) => {
    const bytes = `${lines(half)}${said(message)}\n`
    const stream = ollama({ bytes, sizes: [7] }).stream(request, { signal })
    const error = await thrown(async () => {
      for await (const _ of stream);
    })
    expect(error).toMatchObject({ name: 'PipeError', code, message: expect.stringContaining(message) })
    expect(stream.message()).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it('may be its only line, and without an end', async () => {
    expect(await failure(ollama({ bytes: said('oops') }))).toMatchObject({
      code: 'overloaded',
      message: 'ollama failed: oops',
      details: {},
    })
  })
})

describe('a body that is no reply', () => {
  it.each([
    ['a web page', '<!doctype html><html>', expect.stringContaining('with a web page instead of a reply')],
    ['a line that is no JSON', 'hello\n', 'ollama sent what is no JSON object: hello'],
    ['a line that is no object', '[1]\n', 'ollama sent what is no JSON object: [1]'],
  ])('is %s', async (_, bytes, message) => {
    expect(await failure(ollama({ bytes }))).toMatchObject({ code: 'protocol', message })
  })
})

describe('a reply that is cut', () => {
  it.each([
    ['between two lines', lines(half)],
    ['in a line', `${lines(half)}{"message":{"con`],
    ['before its first byte', ''],
  ])('%s is a network error', async (_, bytes) => {
    expect(await failure(ollama({ bytes }))).toMatchObject({
      code: 'network',
      message: 'the reply of ollama was cut off',
    })
  })

  it('passes the error of the connection on', async () => {
    const reset = new PipeError('network', 'reset')
    expect(await failure(ollama({ bytes: lines(half), failure: reset }))).toBe(reset)
  })

  it('is whole where only the end of its last line is lost', async () => {
    const bytes = lines(half, done).trimEnd()
    expect(await complete(ollama({ bytes }), request, { signal })).toMatchObject({ content: [text('Half')] })
  })
})
