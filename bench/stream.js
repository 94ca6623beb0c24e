import { createParser } from 'eventsource-parser'
import { load } from './module.js'
import { judge, median } from './process.js'

// Compares reading 100,000 deltas through adapter and accumulator with only parsing the same bytes, for each dialect.

const { systemClock } = await load('src/cli/system-clock.ts')
const deltas = 100_000
const runs = 5
const chunkSize = 8 * 1024
const words = ['The ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over ', 'the ', 'lazy ', 'dog. ', '世界 ']
const word = (i) => words[i % words.length]
const characters = Array.from({ length: deltas }, (_, i) => word(i)).join('').length

const event = (data, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
const named = (data) => event(data, data.type)
const line = (data) => `${JSON.stringify(data)}\n`

const choice = (delta, finish_reason = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
})
const said = (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] })

const dialects = {
  anthropic: {
    path: 'src/anthropic/provider.ts',
    create: 'createAnthropicProvider',
    begin:
      named({ type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 1 } } }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    delta: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end:
      named({ type: 'content_block_stop', index: 0 }) +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
      named({ type: 'message_stop' }),
  },
  'openai-chat': {
    path: 'src/openai/chat/provider.ts',
    create: 'createChatProvider',
    begin: event(choice({ role: 'assistant', content: '' })),
    delta: (content) => event(choice({ content })),
    end: `${event(choice({}, 'stop'))}data: [DONE]\n\n`,
  },
  'openai-responses': {
    path: 'src/openai/responses/provider.ts',
    create: 'createResponsesProvider',
    begin:
      named({ type: 'response.created', response: { id: 'r', status: 'in_progress' } }) +
      named({ type: 'response.output_item.added', output_index: 0, item: { id: 'i', type: 'message' } }),
    delta: (delta) =>
      named({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta }),
    end: named({ type: 'response.completed', response: { id: 'r', status: 'completed' } }),
  },
  gemini: {
    path: 'src/google/provider.ts',
    create: 'createGeminiProvider',
    begin: '',
    delta: (text) => event(said(text)),
    end: event({ candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }),
  },
  ollama: {
    path: 'src/ollama/provider.ts',
    create: 'createOllamaProvider',
    begin: '',
    delta: (content) => line({ model: 'm', message: { role: 'assistant', content }, done: false }),
    end: line({ model: 'm', message: { content: '' }, done: true, done_reason: 'stop' }),
    parse: parseLines,
  },
}

function cut(text) {
  const bytes = Buffer.from(text)
  const chunks = []
  for (let at = 0; at < bytes.length; at += chunkSize) chunks.push(bytes.subarray(at, at + chunkSize))
  return chunks
}

function parseEvents(chunks) {
  let events = 0
  const onEvent = ({ data }) => {
    if (data !== '[DONE]') events += JSON.parse(data) === null ? 0 : 1
  }
  const parser = createParser({ onEvent })
  const decoder = new TextDecoder()
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  return events
}

function parseLines(chunks) {
  let events = 0
  let rest = ''
  const decoder = new TextDecoder()
  for (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) events += JSON.parse(text) === null ? 0 : 1
  }
  return events
}

/** Reads a whole reply from the provider. Returns how many characters its deltas hold. */
async function read(create, chunks) {
  const transport = {
    send: async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield* chunks
      })(),
    }),
    close: () => undefined,
  }
  let made = 0
  const newId = { message: () => `id-${made++}`, toolCall: () => `tool_${made++}` }
  const provider = create({ name: 'bench', baseUrl: 'http://bench', transport, newId, clock: systemClock })
  const content = [{ type: 'text', text: 'Go.' }]
  const messages = [{ type: 'user', id: 'u', content, timestamp: new Date(0).toISOString() }]
  const stream = provider.stream(
    { model: 'm', systemPrompt: '', messages, tools: [] },
    { signal: new AbortController().signal },
  )
  let seen = 0
  for await (const { delta } of stream) seen += delta.length
  if (stream.message().content.length !== 1) throw new Error('the reply was not read')
  return seen
}

/** Returns the CPU time used, in microseconds. */
async function cpuOf(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

for (const [name, { path, create, begin, delta, end, parse = parseEvents }] of Object.entries(dialects)) {
  const { [create]: open } = await load(path)
  const chunks = cut(begin + Array.from({ length: deltas }, (_, i) => delta(word(i))).join('') + end)
  const times = { bare: [], ours: [], ratio: [] }
  for (let run = -1; run < runs; run++) {
    const bare = await cpuOf(() => parse(chunks))
    const ours = await cpuOf(async () => {
      const seen = await read(open, chunks)
      if (seen !== characters) throw new Error(`${name}: ${seen} characters of ${characters}`)
    })
    if (run < 0) continue
    times.bare.push(bare)
    times.ours.push(ours)
    times.ratio.push(ours / bare)
  }
  const ms = (all) => `${(median(all) / 1_000).toFixed(0)} ms`
  console.log(
    `stream: ${name}: ${ms(times.ours)} of CPU for ${deltas} deltas, ${ms(times.bare)} to parse them`,
  )
  judge(`stream: ${name} / parsing alone`, median(times.ratio), 2, 'x')
}
