import { describe, expect, it } from 'vitest'
import { composeMessages } from '../../src/anthropic/request.ts'
import { WireHistory } from '../../src/anthropic/wire-history.ts'
import { geminiBody } from '../../src/google/request.ts'
import { ollamaBody } from '../../src/ollama/request.ts'
import { chatBody } from '../../src/openai/chat/request.ts'
import { responsesBody } from '../../src/openai/responses/request.ts'
import type { Request } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { leastRequest } from '../support/models/asking.ts'
import { thrown } from '../support/thrown.ts'
import { checkMessagesBody } from '../support/vendors/anthropic-rules.ts'
import { checkChatBody } from '../support/vendors/chat-rules.ts'
import { checkGeminiBody } from '../support/vendors/gemini-rules.ts'
import { checkOllamaBody } from '../support/vendors/ollama-rules.ts'
import { checkResponsesBody } from '../support/vendors/responses-rules.ts'

const schema = { type: 'object', properties: { a: { type: 'number' } } } as const
const format = { type: 'schema', name: 'sum', schema, isStrict: true } as const

/** The builders of bodies, each with the rules of a real server. */
const dialects = {
  chat: [(request: Request) => chatBody(request, 'p'), (body: never) => checkChatBody(body)],
  responses: [(request: Request) => responsesBody(request, 'p'), checkResponsesBody],
  anthropic: [(request: Request) => composeMessages(request, new WireHistory('p')).body, checkMessagesBody],
  gemini: [
    (request: Request) => geminiBody(request, 'p'),
    (body: never) => checkGeminiBody(body, 'gemini-2.5-flash'),
  ],
  ollama: [(request: Request) => ollamaBody(request, 'p'), checkOllamaBody],
} as const

type Dialect = keyof typeof dialects

/** Builds the body of a request with these options, and holds it against the rules. */
function body(dialect: Dialect, options: Partial<Request>): object {
  const [build, check] = dialects[dialect]
  const sent = JSON.parse(JSON.stringify(build({ ...leastRequest, model: 'gemini-2.5-flash', ...options })))
  expect(check(sent as never)).not.toHaveProperty('violation')
  return sent
}

describe('stop sequences', () => {
  it.each<[Dialect, object]>([
    ['chat', { stop: ['END', '\n\n'] }],
    ['anthropic', { stop_sequences: ['END', '\n\n'] }],
    ['gemini', { generationConfig: { stopSequences: ['END', '\n\n'] } }],
    ['ollama', { options: { stop: ['END', '\n\n'] } }],
  ])('are sent: %s', (dialect, sent) => {
    expect(body(dialect, { stop: ['END', '\n\n'] })).toMatchObject(sent)
  })

  it('are refused where the API has none', async () => {
    expect(await thrown(() => body('responses', { stop: ['END'] }))).toMatchObject({
      code: 'invalid',
      details: { field: 'stop' },
    })
  })
})

describe('the form of the text', () => {
  const named = { name: 'sum', schema, strict: true }
  it.each<[Dialect, object]>([
    ['chat', { response_format: { type: 'json_schema', json_schema: named } }],
    ['responses', { text: { format: { type: 'json_schema', ...named } } }],
    ['anthropic', { output_config: { format: { type: 'json_schema', schema } } }],
    ['gemini', { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }],
    ['ollama', { format: schema }],
  ])('is sent with a schema: %s', (dialect, sent) => {
    expect(body(dialect, { format })).toMatchObject(sent)
  })

  it.each<[Dialect, object]>([
    ['chat', { response_format: { type: 'json_object' } }],
    ['responses', { text: { format: { type: 'json_object' } } }],
    ['gemini', { generationConfig: { responseMimeType: 'application/json' } }],
    ['ollama', { format: 'json' }],
  ])('is sent as any JSON: %s', (dialect, sent) => {
    expect(body(dialect, { format: { type: 'json' } })).toMatchObject(sent)
  })

  it('is refused as any JSON where the API wants a schema', async () => {
    expect(await thrown(() => body('anthropic', { format: { type: 'json' } }))).toMatchObject({
      code: 'invalid',
      details: { field: 'response_format' },
    })
  })
})

describe('calls one at a time', () => {
  const one = { tools: [read], parallelCalls: false } as const
  it.each<[Dialect, object]>([
    ['chat', { parallel_tool_calls: false }],
    ['responses', { parallel_tool_calls: false }],
    ['anthropic', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
  ])('are asked for: %s', (dialect, sent) => {
    expect(body(dialect, one)).toMatchObject(sent)
  })

  it('leave the chosen tool as it is', () => {
    expect(body('anthropic', { ...one, toolChoice: { tool: 'read' } })).toMatchObject({
      tool_choice: { type: 'tool', name: 'read', disable_parallel_tool_use: true },
    })
  })

  it('are not asked for without tools, nor where the API cannot', () => {
    for (const dialect of ['chat', 'responses', 'anthropic'] as const)
      expect(body(dialect, { parallelCalls: false })).toEqual(body(dialect, {}))
    for (const dialect of ['gemini', 'ollama'] as const)
      expect(body(dialect, one)).toEqual(body(dialect, { tools: [read] }))
  })
})
