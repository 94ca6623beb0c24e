import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Request } from '../../../src/provider.ts'
import { text } from '../../support/messages/messages.ts'
import { ask, pull } from '../../support/models/asking.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { event } from '../../support/vendors/responses-sse.ts'
import { added, called, done, end, functionCall, message, read, responses, said, start } from './playback.ts'

const kept = (item: object) => ({ providerData: { provider: 'openai', data: { model: 'asked', item } } })
const frame = (id: string, fields: object = {}) => kept({ id, type: 'message', role: 'assistant', ...fields })
const summary = (...texts: readonly string[]) => texts.map((text) => ({ type: 'summary_text', text }))
const thought = (fields: object = {}) => ({ id: 'rs_1', type: 'reasoning', summary: [], ...fields })

quickDescribe('the content of a reply', () => {
  it('has one block for each item, in order', async () => {
    const reply = await read(
      added(0, thought()),
      done(0, thought({ encrypted_content: 'gA+/=' })),
      done(1, { ...message('Look.'), phase: 'commentary' }),
      done(2, functionCall({ arguments: '{"p":1}', status: 'completed' })),
      end(),
    )
    expect(reply).toMatchObject({ responseId: 'resp_1', model: 'gpt-1', stopReason: 'tool_use' })
    expect(reply.content).toEqual([
      { type: 'thinking', thinking: '', ...kept(thought({ encrypted_content: 'gA+/=' })) },
      { ...text('Look.'), ...frame('msg_1', { phase: 'commentary' }) },
      called('call_1', { p: 1 }, kept({ id: 'fc_1', type: 'function_call', status: 'completed' })),
    ])
  })

  it('may come interleaved', async () => {
    const say = (output_index: number, delta: string) =>
      event('response.output_text.delta', { output_index, delta })
    const reply = await read(say(0, 'a'), say(1, 'x'), say(0, 'b'), say(1, 'y'), end())
    expect(reply.content).toEqual([text('ab'), text('xy')])
  })

  it('may come in events of other names', async () => {
    const reply = await read(
      said('reasoning.delta', { delta: 'Hm' }),
      said('reasoning.done', { text: 'Hm.' }),
      event('response.content_part.delta', { output_index: 1, delta: 'Lo' }),
      event('response.content_part.delta', { output_index: 1, delta: 'ok.' }),
      done(1, message('Look.')),
      event('response.done', { response: { id: 'resp_1', status: 'completed', usage: { input_tokens: 5 } } }),
    )
    expect(reply).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.' }, text('Look.')],
      stopReason: 'end_turn',
      rawStopReason: 'completed',
      usage: { inputTokens: 5 },
    })
  })

  it('may come in events with their type only as their name, and end with the response itself', async () => {
    const named = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
    const usage = { input_tokens: 5, output_tokens: 2 }
    const reply = await read(
      named('response.output_text.delta', { delta: 'Look.' }),
      named('response.completed', { id: 'resp_1', status: 'completed', output: [message('Look.')], usage }),
    )
    expect(reply).toMatchObject({
      content: [text('Look.')],
      stopReason: 'end_turn',
      responseId: 'resp_1',
      usage: { inputTokens: 5, outputTokens: 2 },
    })
  })

  it.each([
    ['failed', 'error'],
    ['incomplete', 'length'],
    [undefined, 'end_turn'],
  ])('may end with `done` as %s', async (status, stopReason) => {
    const { reply } = await pull(
      responses({ bytes: start + event('response.done', { response: { id: 'resp_1', status } }) }),
    )
    expect(reply).toMatchObject({ stopReason })
  })

  it('is assigned by item ids if indexes are missing', async () => {
    const say = (item_id: string, delta: string) => event('response.output_text.delta', { item_id, delta })
    const reply = await read(
      event('response.output_item.added', { item: { id: 'a', type: 'message' } }),
      say('a', 'one'),
      event('response.output_item.done', { item: message('one', 'a') }),
      event('response.output_item.added', { item: { id: 'b', type: 'message' } }),
      say('b', 'two'),
      event('response.output_item.done', { item: message('two', 'b') }),
      end(),
    )
    expect(reply.content).toEqual([
      { ...text('one'), ...frame('a') },
      { ...text('two'), ...frame('b') },
    ])
  })

  it('has a new item if one begins at the index of another', async () => {
    const one = [added(0, message('')), said('output_text.delta', { delta: 'a' }), done(0, message('a'))]
    expect((await read(...one, ...one, end())).content).toHaveLength(2)
  })

  it('has no block for an empty message', async () => {
    const silent = [
      added(0, message('')),
      said('output_text.done', { text: '' }),
      done(0, message('')),
      end(),
    ]
    expect((await read(...silent)).content).toEqual([])
  })

  it('ignores unknown content', async () => {
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
    const reply = await read(
      added(0, search),
      said('web_search_call.searching', {}),
      said('code_interpreter_call_code.delta', { delta: 'x' }),
      event('response.brand_new', { anything: [1] }),
      done(0, search),
      done(1, message('So.')),
      end(),
    )
    expect(reply.content).toEqual([{ ...text('So.'), ...frame('msg_1') }])
    expect(reply.stopReason).toBe('end_turn')
  })

  it('may come in one piece, from servers that do not stream', async () => {
    const whole = {
      object: 'response',
      id: 'resp_1',
      model: 'gpt-1',
      status: 'completed',
      error: null,
      output: [thought({ summary: summary('Hm.') }), message('Yes.'), functionCall({ arguments: '{}' })],
      usage: { input_tokens: 3, output_tokens: 2 },
    }
    expect(await ask(responses({ bytes: JSON.stringify(whole) }))).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.' }, text('Yes.'), called('call_1', {})],
      stopReason: 'tool_use',
      rawStopReason: 'completed',
      responseId: 'resp_1',
      usage: { inputTokens: 3, outputTokens: 2, raw: whole.usage },
    })
  })
})

describe('repeated text', () => {
  const parts = fc.array(fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }), { maxLength: 3 })

  /** The events of an item, of which any but the end may be missing. */
  const events = (texts: readonly string[][], missing: readonly boolean[], from: number) =>
    texts.flatMap((pieces, i) => {
      const at = { content_index: i + from }
      return [
        ...pieces.map((delta) => said('output_text.delta', { ...at, delta })),
        said('output_text.done', { ...at, text: pieces.join('') }),
      ].filter((_, n) => missing[i] !== (n === pieces.length))
    })

  sizedIt('is neither lost nor emitted twice', async () => {
    const missing = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(parts, missing, fc.nat(2), async (texts, missing, from) => {
        const content = texts.map((pieces) => ({ type: 'output_text', text: pieces.join('') }))
        const item = { ...message(''), content }
        const { content: blocks } = await read(...events(texts, missing, from), done(0, item), end())
        const whole = texts.flat().join('')
        expect(blocks).toEqual(whole === '' ? [] : [{ ...text(whole), ...frame('msg_1') }])
      }),
      { numRuns: sized(200, 40) },
    )
  })

  it('is completed at the end if pieces are missing', async () => {
    const reply = await read(said('output_text.delta', { delta: 'Grü' }), done(0, message('Grüße')), end())
    expect(reply.content).toMatchObject([text('Grüße')])
  })
})

quickDescribe('the thinking of a reply', () => {
  it('has a paragraph for each part of a summary', async () => {
    const item = thought({ summary: summary('**A**', '**B**') })
    const say = (summary_index: number, delta: string) =>
      said('reasoning_summary_text.delta', { summary_index, delta })
    const expected = [{ type: 'thinking', thinking: '**A**\n\n**B**', ...kept(item) }]
    expect((await read(say(0, '**A'), say(0, '**'), say(1, '**B**'), done(0, item), end())).content).toEqual(
      expected,
    )
    expect((await read(say(0, '**A**'), done(0, item), end())).content).toEqual(expected)
    expect((await read(done(0, item), end())).content).toEqual(expected)
  })

  it('may be the raw text', async () => {
    const item = thought({ content: [{ type: 'reasoning_text', text: 'Hm. So.' }] })
    const delta = said('reasoning_text.delta', { content_index: 0, delta: 'Hm.' })
    expect((await read(added(0, thought()), delta, done(0, item), end())).content).toEqual([
      { type: 'thinking', thinking: 'Hm. So.', ...kept(item) },
    ])
  })

  it('keeps its place if all of it is hidden', async () => {
    const reply = await read(added(0, thought()), done(1, message('Yes.')), done(0, thought()), end())
    expect(reply.content).toMatchObject([{ type: 'thinking', thinking: '' }, text('Yes.')])
  })
})

quickDescribe('the end of a reply', () => {
  const one = done(0, functionCall())
  const refusal = { ...message(''), content: [{ type: 'refusal', refusal: 'No.' }] }
  const incomplete = (reason: string) => end('incomplete', { incomplete_details: { reason } })

  it.each<[string, string[], string, string | undefined]>([
    ['completed', [end()], 'end_turn', 'completed'],
    ['completed with calls', [one, end()], 'tool_use', 'completed'],
    ['the limit', [one, incomplete('max_output_tokens')], 'length', 'max_output_tokens'],
    ['a filter', [incomplete('content_filter')], 'refusal', 'content_filter'],
    ['an unknown reason', [incomplete('steered')], 'unknown', 'steered'],
    ['no status', [event('response.completed', { response: {} })], 'end_turn', 'completed'],
    ['a refusal in pieces', [said('refusal.delta', { delta: 'No.' }), end()], 'refusal', 'completed'],
    ['a refusal', [done(0, refusal), end()], 'refusal', 'completed'],
  ])('%s', async (_, events, stopReason, rawStopReason) => {
    const reply = await read(...events)
    expect([reply.stopReason, reply.rawStopReason]).toEqual([stopReason, rawStopReason])
  })

  it('keeps the text of a refusal', async () => {
    const { content } = await read(said('refusal.delta', { delta: 'No' }), done(0, refusal), end())
    expect(content).toEqual([{ ...text('No.'), ...frame('msg_1') }])
  })

  it('is not awaited after the last event', async () => {
    const failure = new Error('never read')
    const provider = responses({ bytes: start + end(), failure })
    expect(await ask(provider)).toMatchObject({ stopReason: 'end_turn' })
  })
})

quickDescribe('a reply reported as completed', () => {
  const stopReason = async (output_tokens: number, limits: Partial<Request>) => {
    const usage = { input_tokens: 3, output_tokens }
    const bytes =
      start + said('output_text.delta', { content_index: 0, delta: 'Half' }) + end('completed', { usage })
    return (await ask(responses({ bytes }), limits)).stopReason
  }
  const info = { provider: 'openai', id: 'gpt-1', maxOutput: 100 }

  it('counts as cut at the requested or the model’s token limit', async () => {
    expect(await stopReason(20, { maxTokens: 20 })).toBe('length')
    expect(await stopReason(16, { maxTokens: 5 })).toBe('length')
    expect(await stopReason(100, { info })).toBe('length')
  })

  it('does not count as cut below the limit, or above the model’s known limit', async () => {
    expect(await stopReason(19, { maxTokens: 20 })).toBe('end_turn')
    expect(await stopReason(15, { maxTokens: 5 })).toBe('end_turn')
    expect(await stopReason(100, { maxTokens: 200, info })).toBe('end_turn')
    expect(await stopReason(101, { info })).toBe('end_turn')
    expect(await stopReason(100, {})).toBe('end_turn')
  })
})

quickDescribe('the usage of a reply', () => {
  it('counts cached tokens in the prompt and reasoning in the output', async () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      output_tokens: 8,
      output_tokens_details: { reasoning_tokens: 6 },
      total_tokens: 18,
    }
    expect((await read(end('completed', { usage }))).usage).toEqual({
      inputTokens: 10,
      outputTokens: 8,
      cacheReadTokens: 4,
      cacheWriteTokens: 1,
      reasoningTokens: 6,
      raw: usage,
    })
  })

  it('is undefined without numbers', async () => {
    expect((await read(end('completed', { usage: null }))).usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  })
})
