import { describe, expect, it } from 'vitest'
import { text } from '../support/messages/messages.ts'
import { failure, pull } from '../support/models/asking.ts'
import { lines, ollama } from './playback.ts'

const said = (error: string) => JSON.stringify({ error })
const half = { message: { role: 'assistant', content: 'Half' }, done: false }
const tooLong = 'request (2622 tokens) exceeds the available context size (512 tokens), try increasing it'

describe('a failing status', () => {
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
  ])('may report %s, and the text so far is kept', async (_, message, code) => {
    const bytes = `${lines(half)}${said(message)}\n`
    const { reply, error } = await pull(ollama({ bytes, sizes: [7] }))
    expect(error).toMatchObject({ name: 'PipeError', code, message: expect.stringContaining(message) })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it('may be its only line, even without a line break', async () => {
    expect(await failure(ollama({ bytes: said('oops') }))).toMatchObject({
      code: 'overloaded',
      message: 'ollama failed: oops',
      details: {},
    })
  })
})
