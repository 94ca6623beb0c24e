import { describe, expect, it } from 'vitest'
import type { ModelInfo, Thinking } from '../../src/model.ts'
import type { Request, ThinkingLevel, ToolChoice } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { assistant, call, text, toolResult, user } from '../support/messages/messages.ts'
import { body, model, spoken } from './body.ts'

const thought = { type: 'thinking', thinking: 'Hm.', signature: 'EqQ+/=' } as const

describe('the choice of tools', () => {
  const tools = [read]

  it('is left to the model if it may choose', () => {
    expect(body({ tools, toolChoice: 'auto' })).toEqual(body({ tools }))
  })

  it.each<[ToolChoice, object]>([
    ['required', { type: 'any' }],
    ['none', { type: 'none' }],
    [{ tool: 'read' }, { type: 'tool', name: 'read' }],
  ])('%j is %j', (toolChoice, tool_choice) => {
    expect(body({ tools, toolChoice })).toEqual({ ...body({ tools }), tool_choice })
  })

  it('is left out without tools', () => {
    expect(body({ toolChoice: 'none' })).toEqual(body({}))
  })

  it.each<ToolChoice>(['required', { tool: 'read' }])('%j turns thinking off', (toolChoice) => {
    const asked = { tools, toolChoice, temperature: 0.5 }
    expect(body({ ...asked, thinking: 'high' })).toEqual(body(asked))
    expect(body({ ...asked, thinking: 'high', model: 'claude-opus-4-8' })).not.toHaveProperty('output_config')
  })

  it('of none still allows thinking', () => {
    expect(body({ tools, toolChoice: 'none', thinking: 'high' })).toHaveProperty('thinking')
  })
})

describe('a model known only by name', () => {
  it.each([
    ['claude-3-5-haiku-20241022', 8192],
    ['claude-3-opus-20240229', 8192],
    ['claude-sonnet-4-20250514', 32_000],
    ['claude-opus-4-1', 32_000],
    ['claude-haiku-4-5-20251001', 32_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 32_000],
    ['claude-opus-4-10', 32_000],
    ['claude-sonnet-5', 32_000],
    ['kimi-k2', 8192],
  ])('limits the reply of %s to %i tokens', (model, max_tokens) => {
    expect(body({ model })).toMatchObject({ max_tokens })
  })
})

describe('a model with known facts', () => {
  const known = (fields: Partial<ModelInfo>): { readonly info: ModelInfo } => ({
    info: { provider: 'anthropic', id: model, ...fields },
  })
  const effort = (...levels: readonly ThinkingLevel[]): Thinking => ({ type: 'effort', levels })
  const budget = (min: number, max: number): Thinking => ({ type: 'budget', min, max, optional: true })
  const enabled = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } })
  const adaptive = (effort: string) => ({
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort },
  })

  it.each<[string, Partial<Request>, number]>([
    ['that can write less', known({ maxOutput: 4096 }), 4096],
    ['that can write more than needed', known({ maxOutput: 64_000 }), 32_000],
    [
      'that can write more, with thinking added',
      { ...known({ maxOutput: 64_000 }), thinking: 'high' },
      48_384,
    ],
    ['that cannot write all of both', { ...known({ maxOutput: 40_000 }), thinking: 'high' }, 40_000],
    ['with a given limit', { ...known({ maxOutput: 64_000 }), maxTokens: 50_000 }, 50_000],
    ['with a name of a lower limit', { ...known({ maxOutput: 20_000 }), model: 'kimi-k2' }, 20_000],
  ])('is limited to what it can write: one %s', (_, request, max_tokens) => {
    expect(body(request)).toMatchObject({ max_tokens })
  })

  it.each<[Thinking, ThinkingLevel, object]>([
    [{ type: 'none' }, 'high', {}],
    [{ type: 'fixed' }, 'high', {}],
    [budget(1024, 10_000), 'high', enabled(10_000)],
    [budget(4096, 10_000), 'minimal', enabled(4096)],
    [budget(1024, 10_000), 'off', {}],
    [effort('off', 'low', 'high'), 'xhigh', adaptive('high')],
    [effort('off', 'low', 'high'), 'off', {}],
    [effort('low', 'medium'), 'off', adaptive('low')],
    [effort(), 'high', {}],
  ])('with thinking %j at the level %s gets %j', (thinking, level, fields) => {
    const { thinking: sent, output_config } = body({ ...known({ thinking }), thinking: level })
    expect(JSON.parse(JSON.stringify({ thinking: sent, output_config }))).toEqual(fields)
  })

  it('gets a note for each image that it cannot see', () => {
    const messages = [user(text('look'), { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const)]
    expect(body({ messages, ...known({ images: false }) }).messages).toMatchObject([
      { content: [text('look'), text('(an image, which this model cannot see)')] },
    ])
  })
})

describe('thinking', () => {
  const budgets: readonly (readonly [ThinkingLevel, number])[] = [
    ['minimal', 1024],
    ['low', 2048],
    ['medium', 8192],
    ['high', 16_384],
    ['xhigh', 32_000],
  ]
  it.each(budgets)('%s has a budget of %i tokens besides the answer', (thinking, budget_tokens) => {
    const sent = body({ thinking, temperature: 0.5 })
    expect(sent).toMatchObject({
      max_tokens: 32_000 + budget_tokens,
      thinking: { type: 'enabled', budget_tokens },
    })
    expect(sent).not.toHaveProperty('temperature')
  })

  it.each([
    [20_000, 16_384],
    [10_000, 8976],
    [2048, 1024],
  ])('leaves 1,024 tokens of a given limit of %i for the answer', (maxTokens, budget_tokens) => {
    const fields = { max_tokens: maxTokens, thinking: { type: 'enabled', budget_tokens } }
    expect(body({ maxTokens, thinking: 'high' })).toMatchObject(fields)
  })

  it('is left out if it does not fit the limit', () => {
    const sent = body({ maxTokens: 2047, thinking: 'high', temperature: 0.5 })
    expect(sent).toMatchObject({ max_tokens: 2047, temperature: 0.5 })
    expect(sent).not.toHaveProperty('thinking')
  })

  it.each(['claude-opus-4-7', 'claude-opus-4-8', 'claude-sonnet-5', 'claude-haiku-5-5'])(
    'of %s, which refuses a budget, is set by effort',
    (model) => {
      expect(body({ model, thinking: 'xhigh' })).toMatchObject({
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'xhigh' },
      })
    },
  )

  it('is left out of a turn in which another model made the first calls', () => {
    const foreign = [user(text('hi')), assistant(text('I look.'), call('a')), toolResult('a', text('42'))]
    expect(body({ messages: foreign, thinking: 'high' })).not.toHaveProperty('thinking')
    expect(body({ messages: [...foreign, user(text('go on'))], thinking: 'high' })).toHaveProperty('thinking')
    const own = [user(text('hi')), spoken(thought, call('a')), toolResult('a', text('42'))]
    const further = [...own, spoken(call('b')), toolResult('b', text('43'))]
    expect(body({ messages: further, thinking: 'high' })).toHaveProperty('thinking')
  })
})
