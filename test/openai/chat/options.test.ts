import { describe, expect, it } from 'vitest'
import type { Quirks } from '../../../src/machine/model-server.ts'
import type { ModelInfo, Thinking } from '../../../src/model.ts'
import type { ThinkingLevel, ToolChoice } from '../../../src/provider.ts'
import { read } from '../../support/conversations/read-tool.ts'
import { text, user } from '../../support/messages/messages.ts'
import { body } from './body.ts'

describe('the choice of tools', () => {
  const tools = [read]
  const word = (toolChoice: ToolChoice, quirks?: Quirks) => body({ tools, toolChoice }, quirks).tool_choice

  it('is left to the model if it may choose', () => {
    expect(body({ tools, toolChoice: 'auto' })).toEqual(body({ tools }))
  })

  it.each<[ToolChoice, unknown]>([
    ['required', 'required'],
    ['none', 'none'],
    [{ tool: 'read' }, { type: 'function', function: { name: 'read' } }],
  ])('%j is %j', (toolChoice, expected) => {
    expect(word(toolChoice)).toEqual(expected)
  })

  it("may use the server's own word", () => {
    expect(word('required', { toolChoiceRequired: 'any' })).toBe('any')
    expect(word('none', { toolChoiceRequired: 'any' })).toBe('none')
  })

  it('is left out without tools', () => {
    expect(body({ toolChoice: 'none' })).toEqual(body({}))
  })
})

describe('a model with known facts', () => {
  const known = (fields: Partial<ModelInfo>): { readonly info: ModelInfo } => ({
    info: { provider: 'openai', id: 'm-1', ...fields },
  })
  const effort = (...levels: readonly ThinkingLevel[]): Thinking => ({ type: 'effort', levels })
  const budget: Thinking = { type: 'budget', min: 1024, max: 9000, optional: true }
  const quirks: Quirks = { reasoningEffort: { xhigh: 'max', off: 'disabled' } }

  it.each<[Thinking, ThinkingLevel, Quirks | undefined, string | undefined]>([
    [{ type: 'none' }, 'high', undefined, undefined],
    [{ type: 'fixed' }, 'high', undefined, undefined],
    [effort('low', 'medium', 'high'), 'medium', undefined, 'medium'],
    [effort('low', 'medium', 'high'), 'xhigh', undefined, 'high'],
    [effort('low', 'medium', 'high'), 'off', undefined, 'low'],
    [effort('off', 'low', 'high'), 'off', undefined, 'none'],
    [effort('off', 'low', 'high'), 'off', quirks, 'disabled'],
    [effort('low', 'xhigh'), 'xhigh', quirks, 'max'],
    [effort(), 'high', undefined, undefined],
    [budget, 'high', undefined, 'high'],
    [budget, 'off', undefined, undefined],
  ])('with thinking %j at the level %s and quirks %j gets %s', (thinking, level, quirks, word) => {
    expect(body({ ...known({ thinking }), thinking: level }, quirks).reasoning_effort).toBe(word)
  })

  it('gets no effort by default', () => {
    expect(body(known({ thinking: effort('low') }))).toEqual(body({}))
  })

  it.each<[string, Quirks | undefined, Thinking | undefined, number | undefined]>([
    ['is sent to servers that accept it', undefined, effort('low'), 0.5],
    ['is left out if the server refuses it', { temperatureWithThinking: false }, effort('low'), undefined],
    ['is sent to a model that does not think', { temperatureWithThinking: false }, { type: 'none' }, 0.5],
    ['is sent to an unknown model', { temperatureWithThinking: false }, undefined, 0.5],
  ])('has a temperature that %s', (_, quirks, thinking, temperature) => {
    const info = thinking === undefined ? {} : known({ thinking })
    expect(body({ ...info, temperature: 0.5 }, quirks).temperature).toBe(temperature)
  })

  it('gets a note for each image that it cannot see', () => {
    const messages = [user(text('look'), { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const)]
    expect(body({ messages, ...known({ images: false }) }).messages).toEqual([
      { role: 'user', content: 'look\n\n(an image, which this model cannot see)' },
    ])
  })
})
