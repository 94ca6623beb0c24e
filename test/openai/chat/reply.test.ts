import { describe, expect, it } from 'vitest'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { text } from '../../support/messages/messages.ts'
import { ask, failure, pull } from '../../support/models/asking.ts'
import { chat, delta, sse } from './playback.ts'

const reply = (...chunks: readonly object[]) => ask(chat({ bytes: sse(...chunks) }))
const stop = delta({}, 'stop')
const { tools: listed } = scriptedTools({ bash: gives(''), read: gives(''), read_all: gives('') })
const tools = listed()

/** Reads entries of `tool_calls`, each in its own delta. */
const calls = async (...entries: readonly object[]) =>
  (await reply(...entries.map((entry) => delta({ tool_calls: [entry] })), delta({}, 'tool_calls'))).content
const called = (id: string, name: string, args: unknown) => ({ type: 'tool_call', id, name, arguments: args })
const madeUp = expect.stringMatching(/^tool_.{12}$/)

describe('the text of a reply', () => {
  it('may come as a content array, thinking included', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
    const message = await reply(
      delta({ content: [thinking] }),
      delta({
        content: [
          { type: 'text', text: 'Yes' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      delta({ content: '!' }),
      stop,
    )
    expect(message.content).toEqual([{ type: 'thinking', thinking: 'Hm.' }, text('Yes!')])
  })

  it('may be a refusal', async () => {
    const message = await reply(delta({ refusal: 'I will' }), delta({ refusal: ' not.' }), stop)
    expect(message).toMatchObject({
      content: [text('I will not.')],
      stopReason: 'refusal',
      rawStopReason: 'stop',
    })
  })

  it('may come whole from a server that does not stream', async () => {
    const body = {
      id: 'x-1',
      model: 'm-1',
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'Here',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }
    const headers = { 'content-type': 'application/json' }
    expect(await ask(chat({ bytes: JSON.stringify(body), headers }))).toMatchObject({
      content: [text('Here'), called('a', 'read', { p: 1 })],
      stopReason: 'tool_use',
      responseId: 'x-1',
      model: 'm-1',
      usage: { inputTokens: 3, outputTokens: 2, raw: body.usage },
    })
  })

  it('is that of the first choice', async () => {
    const other = { choices: [{ index: 1, delta: { content: 'other' }, finish_reason: 'length' }] }
    expect(await reply(delta({ content: 'one' }), other, stop)).toMatchObject({
      content: [text('one')],
      stopReason: 'end_turn',
    })
  })
})

describe('the thinking of a reply', () => {
  it.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.' }],
    ['both, counted once', { reasoning_content: 'Hm.', reasoning: 'Hm.' }],
    ['reasoning_text', { content: null, reasoning_text: 'Hm.' }],
    ['an object', { reasoning_content: { text: 'Hm.' } }],
    ['parts with a text', { content: [{ type: 'reasoning', text: 'Hm.' }] }],
    [
      'parts with a summary',
      { content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }] },
    ],
  ])('comes in %s', async (_, fields) => {
    const { content } = await reply(delta(fields), delta({ content: 'Yes' }), stop)
    expect(content).toEqual([{ type: 'thinking', thinking: 'Hm.' }, text('Yes')])
  })

  it('keeps its proof for its own server, joined from pieces', async () => {
    const piece = (fields: object) => delta({ reasoning_details: [{ index: 0, ...fields }] })
    const { content } = await reply(
      piece({ type: 'reasoning.text', text: 'Hm' }),
      piece({ type: 'reasoning.text', text: '.', signature: null }),
      piece({ type: 'reasoning.text', signature: 'sig' }),
      piece({ type: 'reasoning.encrypted', data: 'xyz' }),
      piece({ type: 'reasoning.encrypted', data: 'abc' }),
      piece({ type: 'reasoning.summary', summary: ' So.' }),
      delta({ content: 'Yes' }),
      stop,
    )
    const reasoning_details = [
      { type: 'reasoning.text', index: 0, text: 'Hm.', signature: 'sig' },
      { type: 'reasoning.encrypted', index: 0, data: 'xyz' },
      { type: 'reasoning.encrypted', index: 0, data: 'abc' },
      { type: 'reasoning.summary', index: 0, summary: ' So.' },
    ]
    const providerData = { provider: 'openai', data: { model: 'asked', reasoning_details } }
    expect(content).toEqual([{ type: 'thinking', thinking: 'Hm. So.', providerData }, text('Yes')])
  })

  it('keeps its signed blocks for its own server, joined from pieces', async () => {
    const piece = (reasoning_content: string, ...thinking_blocks: readonly object[]) =>
      delta({ reasoning_content, thinking_blocks })
    const thought = (thinking: string, signature: string | null = '') => ({
      type: 'thinking',
      thinking,
      signature,
    })
    const redacted = { type: 'redacted_thinking', data: 'xyz' }
    const { content } = await reply(
      piece('Hm', thought('Hm')),
      piece('.', thought('.', null)),
      piece('', thought('', 'sig')),
      piece('', redacted),
      piece('', thought('Hm.', 'whole')),
      piece('', thought('cut')),
      delta({ content: 'Yes' }),
      stop,
    )
    const thinking_blocks = [thought('Hm.', 'sig'), redacted, thought('Hm.', 'whole')]
    const providerData = { provider: 'openai', data: { model: 'asked', thinking_blocks } }
    expect(content).toEqual([{ type: 'thinking', thinking: 'Hm.', providerData }, text('Yes')])
  })

  it('precedes the answer even if all of it is hidden', async () => {
    const hidden = { type: 'reasoning.encrypted', data: 'xyz' }
    const { content } = await reply(delta({ reasoning_details: [hidden] }), delta({ content: 'Yes' }), stop)
    expect(content).toMatchObject([{ type: 'thinking', thinking: '' }, text('Yes')])
  })
})

describe('the calls of a reply', () => {
  it.each<[string, object[], unknown[]]>([
    [
      'by index, interleaved',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { index: 1, id: 'b', function: { name: 'grep', arguments: '' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 1, function: { arguments: '{}' } },
      ],
      [called('a', 'read', { p: 1 }), called('b', 'grep', {})],
    ],
    [
      'with indexes from any number',
      [{ index: 7, id: 'a', function: { name: 'read', arguments: '{}' } }],
      [called('a', 'read', {})],
    ],
    [
      'with id and name in every delta',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { index: 0, id: 'a', function: { name: 'read', arguments: ':1}' } },
      ],
      [called('a', 'read', { p: 1 })],
    ],
    [
      'with one index and a new id for each',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } },
        { index: 0, id: 'b', function: { name: 'read', arguments: '{}' } },
      ],
      [called('a', 'read', {}), called('b', 'read', {})],
    ],
    [
      'without an index',
      [
        { id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { id: 'a', function: { arguments: ':' } },
        { function: { arguments: '1}' } },
        { id: 'b', function: { name: 'read', arguments: '{}' } },
      ],
      [called('a', 'read', { p: 1 }), called('b', 'read', {})],
    ],
    [
      'without an index, by turns',
      [
        { id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { id: 'b', function: { name: 'grep', arguments: '{"p"' } },
        { id: 'a', function: { arguments: ':1}' } },
        { id: 'b', function: { name: 'grep', arguments: ':2}' } },
      ],
      [called('a', 'read', { p: 1 }), called('b', 'grep', { p: 2 })],
    ],
    [
      'without an id',
      [
        { index: 0, function: { name: 'read', arguments: '{}' } },
        { index: 1, id: null, function: { name: 'grep', arguments: '{}' } },
      ],
      [called(madeUp, 'read', {}), called(madeUp, 'grep', {})],
    ],
    [
      'without id and index',
      [{ function: { name: 'read', arguments: '{}' } }, { function: { name: 'grep', arguments: '{}' } }],
      [called(madeUp, 'read', {}), called(madeUp, 'grep', {})],
    ],
    [
      'with the name after the first arguments',
      [
        { index: 0, id: 'a', function: { arguments: '{"p"' } },
        { index: 0, function: { name: 'read', arguments: ':1}' } },
      ],
      [called('a', 'read', { p: 1 })],
    ],
    [
      'with an id that comes late',
      [
        { index: 0, function: { name: 'read', arguments: '{"p"' } },
        { index: 0, id: 'a', function: { arguments: ':1}' } },
      ],
      [called(madeUp, 'read', { p: 1 })],
    ],
    [
      'with the same id twice',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } },
        { index: 1, id: 'a', function: { name: 'grep', arguments: '{}' } },
      ],
      [called('a', 'read', {}), called(madeUp, 'grep', {})],
    ],
    [
      'with a new id in every delta',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { index: 0, id: 'b', function: { arguments: ':' } },
        { index: 0, id: 'c', function: { name: '', arguments: '1' } },
        { index: 0, id: 'd', function: { name: null, arguments: '}' } },
      ],
      [called('a', 'read', { p: 1 })],
    ],
    [
      'with one index and no id',
      [
        { index: 0, id: '', function: { name: 'read', arguments: '{"p":1}' } },
        { index: 0, id: '', function: { name: 'read', arguments: '{"p":2}' } },
        { index: 0, function: { name: 'grep', arguments: '{}' } },
        { index: 0, function: { name: 'grep', arguments: '{}' } },
      ],
      [
        called(madeUp, 'read', { p: 1 }),
        called(madeUp, 'read', { p: 2 }),
        called(madeUp, 'grep', {}),
        called(madeUp, 'grep', {}),
      ],
    ],
    [
      'with the name in every delta, without id and index',
      [
        { function: { name: 'read', arguments: '{"p"' } },
        { function: { name: 'read', arguments: ':1}' } },
        { function: { name: 'read', arguments: '' } },
      ],
      [called(madeUp, 'read', { p: 1 })],
    ],
    [
      'with id and name in every delta, the id a new one',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{"p"' } },
        { index: 0, id: 'b', function: { name: 'read', arguments: ':1}' } },
      ],
      [called('a', 'read', { p: 1 })],
    ],
    [
      'with empty arguments before the real ones',
      [
        { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } },
        { index: 0, function: { arguments: '{"p"' } },
        { index: 0, function: { arguments: ':1}' } },
        { index: 1, id: 'b', function: { name: 'read', arguments: {} } },
        { index: 1, function: { arguments: '{"p":2}' } },
      ],
      [called('a', 'read', { p: 1 }), called('b', 'read', { p: 2 })],
    ],
    [
      'with null as the text of no arguments',
      [{ index: 0, id: 'a', function: { name: 'read', arguments: 'null' } }],
      [called('a', 'read', {})],
    ],
    [
      'without arguments',
      [{ index: 0, id: 'a', function: { name: 'read', arguments: null } }],
      [called('a', 'read', {})],
    ],
    [
      'with arguments as an object',
      [{ index: 0, id: 'a', function: { name: 'read', arguments: { p: 1 } } }],
      [called('a', 'read', { p: 1 })],
    ],
    [
      'with arguments that are not JSON',
      [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"p' } }],
      [{ ...called('a', 'read', null), argumentsRaw: '{"p' }],
    ],
  ])('come %s', async (_, entries, expected) => {
    expect(await calls(...entries)).toEqual(expected)
  })

  it('may be several in one delta', async () => {
    const entry = (id: string) => ({ id, function: { name: 'read', arguments: `{"id":"${id}"}` } })
    const { content } = await reply(delta({ tool_calls: [entry('a'), entry('b')] }), stop)
    expect(content).toEqual([called('a', 'read', { id: 'a' }), called('b', 'read', { id: 'b' })])
  })

  it('may be an old function_call', async () => {
    const message = await reply(
      delta({ function_call: { name: 'read', arguments: '{"p"' } }),
      delta({ function_call: { arguments: ':1}' } }),
      delta({}, 'function_call'),
    )
    expect(message).toMatchObject({ content: [called(madeUp, 'read', { p: 1 })], stopReason: 'tool_use' })
  })

  it('without a name are kept after the others', async () => {
    expect(
      await calls(
        { index: 0, id: 'a', function: { name: '', arguments: '{"p":1}' } },
        { index: 1, id: 'b', function: { name: 'read', arguments: '{}' } },
      ),
    ).toEqual([called('b', 'read', {}), called('a', 'unnamed', { p: 1 })])
  })

  it.each<[string, (string | undefined)[], string]>([
    ['in pieces', ['b', 'as', 'h'], 'bash'],
    ['in pieces, then empty', ['ba', 'sh', ''], 'bash'],
    ['whole with each piece', ['bash', 'bash', 'bash'], 'bash'],
    ['growing with each piece', ['ba', 'bas', 'bash'], 'bash'],
    ['in pieces in another case', ['BA', 'SH'], 'BASH'],
    ['whole, though another begins with it', ['read', 'read'], 'read'],
    ['repeated, though no tool has it', ['ba', 'ba'], 'ba'],
    ['as only a beginning', ['ba', undefined], 'ba'],
  ])('may have their name %s', async (_, names, expected) => {
    const entries = names.map((name) => ({ index: 0, id: 'a', function: { name, arguments: '' } }))
    for (const args of ['{"p":1}', undefined]) {
      const last = { index: 0, function: { name: names.at(-1), arguments: args } }
      const chunks = [...entries, last].map((entry) => delta({ tool_calls: [entry] }))
      const { content } = await ask(chat({ bytes: sse(...chunks, delta({}, 'tool_calls')) }), { tools })
      expect(content).toEqual([called('a', expected, args === undefined ? {} : { p: 1 })])
    }
  })

  it('keep data that the server wants back, and ids that other servers would refuse', async () => {
    const entry = (id: string, index: number, fields: object = {}) => ({
      index,
      id,
      function: { name: 'read', arguments: '{}' },
      ...fields,
    })
    const extra_content = { google: { thought_signature: 'sig' } }
    const entries = [entry('a', 0, { extra_content }), entry('functions.read:1', 1), entry('b', 2)]
    const kept = (data: object) => ({ provider: 'openai', data: { model: 'asked', ...data } })
    expect(await calls(...entries)).toEqual([
      { ...called('a', 'read', {}), providerData: kept({ extra_content }) },
      { ...called('functions.read:1', 'read', {}), providerData: kept({}) },
      called('b', 'read', {}),
    ])
  })

  it('keep their order if one has only the beginning of a name', async () => {
    const entries = ['ba', 'read'].map((name, index) => ({ index, id: name, function: { name } }))
    const message = await ask(chat({ bytes: sse(delta({ tool_calls: entries }), stop) }), { tools })
    expect(message.content).toEqual([called('ba', 'ba', {}), called('read', 'read', {})])
  })
})

describe('the end of a reply', () => {
  const oneCall = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } }] })
  it.each<[string, object[], string, string | undefined]>([
    ['stop', [stop], 'end_turn', 'stop'],
    ['stop with calls', [oneCall, stop], 'tool_use', 'stop'],
    ['tool_calls', [oneCall, delta({}, 'tool_calls')], 'tool_use', 'tool_calls'],
    ['tool_calls without one', [delta({}, 'tool_calls')], 'end_turn', 'tool_calls'],
    ['length', [oneCall, delta({}, 'length')], 'length', 'length'],
    ['max_tokens', [oneCall, delta({}, 'max_tokens')], 'length', 'max_tokens'],
    ['content_filter', [delta({}, 'content_filter')], 'refusal', 'content_filter'],
    ['content_filtered', [delta({}, 'content_filtered')], 'refusal', 'content_filtered'],
    ['safety', [delta({}, 'SAFETY')], 'refusal', 'SAFETY'],
    ['end_turn', [delta({}, 'end_turn')], 'end_turn', 'end_turn'],
    ['eos', [delta({}, 'eos')], 'end_turn', 'eos'],
    ['stop in capitals', [delta({}, 'STOP')], 'end_turn', 'STOP'],
    ['tool_calls in capitals', [oneCall, delta({}, 'TOOL_CALLS')], 'tool_use', 'TOOL_CALLS'],
    ['tool_use', [oneCall, delta({}, 'tool_use')], 'tool_use', 'tool_use'],
    ['an unknown word', [delta({}, 'sleepy')], 'unknown', 'sleepy'],
    ['an unknown word with calls', [oneCall, delta({}, 'sleepy')], 'tool_use', 'sleepy'],
    ['no word but [DONE], with calls', [oneCall], 'tool_use', undefined],
    ['two words', [oneCall, stop, delta({}, 'tool_calls')], 'tool_use', 'tool_calls'],
    ['no word but [DONE]', [delta({ content: 'a' })], 'unknown', undefined],
  ])('%s', async (_, chunks, stopReason, rawStopReason) => {
    const message = await reply(...chunks)
    expect([message.stopReason, message.rawStopReason]).toEqual([stopReason, rawStopReason])
  })

  it.each([[undefined], ['sleepy']])('is cut if it breaks off a call, with the word %s', async (word) => {
    const half = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"p' } }] })
    const last = word === undefined ? [] : [delta({}, word)]
    expect(await failure(chat({ bytes: sse(half, ...last) }))).toMatchObject({
      code: 'network',
      message: 'the reply of openai was cut off in a tool call',
    })
  })

  it.each<[object, string, string]>([
    [delta({}, 'abort'), 'overloaded', 'openai failed: abort'],
    [delta({}, 'insufficient_system_resource'), 'overloaded', 'openai failed: insufficient_system_resource'],
    [delta({}, 'error'), 'overloaded', 'openai failed: error'],
    [
      { choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'Upstream broke' } }] },
      'overloaded',
      'openai failed (502): Upstream broke',
    ],
    [
      { choices: [{ delta: {}, finish_reason: 'error', error: { code: 400, message: 'Bad tool' } }] },
      'invalid',
      'openai refused the request (400): Bad tool',
    ],
    [{ choices: [], x_groq: { error: 'over capacity' } }, 'overloaded', 'openai failed: over capacity'],
  ])('is an error after %j', async (chunk, code, message) => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 }
    const { reply, error } = await pull(
      chat({ bytes: sse(delta({ content: 'Half' }), chunk, { choices: [], usage }) }),
    )
    expect(error).toMatchObject({ name: 'PipeError', code, message })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error', usage: { raw: usage } })
  })
})

it('ends a reply at [DONE] followed by a space, and ignores a ping', async () => {
  const bytes = `event: ping\ndata: ping\n\n${sse(delta({ content: 'a' }))}`.replace('[DONE]', '[DONE] ')
  expect(await ask(chat({ bytes }))).toMatchObject({ content: [text('a')], stopReason: 'unknown' })
})

describe('the usage of a reply', () => {
  const usage = async (...chunks: readonly object[]) => (await reply(...chunks)).usage

  it('is the last one in any place', async () => {
    const raw = { prompt_tokens: 5, completion_tokens: 2 }
    const expected = { inputTokens: 5, outputTokens: 2, raw }
    expect(await usage({ ...stop, usage: { prompt_tokens: 1 } }, { choices: [], usage: raw })).toEqual(
      expected,
    )
    expect(await usage({ ...stop, usage: raw }, { choices: [], usage: null })).toEqual(expected)
    expect(await usage({ ...stop, x_groq: { usage: raw } })).toEqual(expected)
    expect(await usage({ choices: [{ delta: {}, finish_reason: 'stop', usage: raw }] })).toEqual(expected)
    expect(await usage(stop)).toEqual({ inputTokens: 0, outputTokens: 0 })
  })

  it('is the real one if zeros follow', async () => {
    const raw = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    expect(await usage({ ...stop, usage: raw }, { choices: [], usage: zeros })).toMatchObject({ raw })
    expect(await usage({ ...stop, usage: zeros }, { choices: [], usage: raw })).toMatchObject({ raw })
  })

  it('counts cached tokens in the prompt and reasoning in the output', async () => {
    const parts = {
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 6 },
    }
    const tokens = { inputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 1, reasoningTokens: 6 }
    const within = { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18, ...parts }
    expect(await usage({ ...stop, usage: within })).toEqual({ ...tokens, outputTokens: 8, raw: within })
    const onTop = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 18, ...parts }
    expect(await usage({ ...stop, usage: onTop })).toEqual({ ...tokens, outputTokens: 8, raw: onTop })
  })

  it.each(['prompt_cache_hit_tokens', 'num_cached_tokens', 'cached_tokens'])('knows %s', async (name) => {
    expect(await usage({ ...stop, usage: { prompt_tokens: 9, [name]: 4 } })).toMatchObject({
      cacheReadTokens: 4,
    })
  })

  it.each<[string, object, object]>([
    [
      'with a total that includes them (Portkey)',
      {
        prompt_tokens: 20,
        completion_tokens: 5,
        total_tokens: 1_325,
        prompt_tokens_details: { cached_tokens: 1_000 },
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 300,
      },
      { inputTokens: 1_320, outputTokens: 5, cacheReadTokens: 1_000, cacheWriteTokens: 300 },
    ],
    [
      'more than the prompt, without a total',
      { prompt_tokens: 20, completion_tokens: 5, cache_read_input_tokens: 1_000 },
      { inputTokens: 1_020, outputTokens: 5, cacheReadTokens: 1_000 },
    ],
    [
      "Anthropic's own fields",
      { input_tokens: 20, output_tokens: 5, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 0 },
      { inputTokens: 1_020, outputTokens: 5, cacheReadTokens: 1_000, cacheWriteTokens: 0 },
    ],
    [
      'part of the prompt, under both names (LiteLLM)',
      {
        prompt_tokens: 1_320,
        completion_tokens: 5,
        total_tokens: 1_325,
        prompt_tokens_details: { cached_tokens: 1_000, cache_creation_tokens: 300 },
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 300,
      },
      { inputTokens: 1_320, outputTokens: 5, cacheReadTokens: 1_000, cacheWriteTokens: 300 },
    ],
  ])('counts cached tokens once: %s', async (_, raw, counted) => {
    expect(await usage({ ...stop, usage: raw })).toEqual({ ...counted, raw })
  })
})
