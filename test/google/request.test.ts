import { describe, expect, it } from 'vitest'
import type { Thinking } from '../../src/model.ts'
import type { ThinkingLevel } from '../../src/provider.ts'
import type { Tool } from '../../src/tool.ts'
import { read } from '../support/conversations/read-tool.ts'
import { body, said } from './body.ts'

describe('the body of a request', () => {
  it('holds all options of the request', () => {
    expect(
      body({
        systemPrompt: 'Be brief.',
        maxTokens: 100,
        temperature: 0.5,
        tools: [read],
        toolChoice: 'auto',
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [said({ text: 'hello' })],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'read',
              description: 'Reads a file.',
              parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } } },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: { maxOutputTokens: 100, temperature: 0.5 },
    })
  })

  it('holds nothing else', () => {
    expect(body({})).toEqual({ contents: [said({ text: 'hello' })] })
    expect(body({ toolChoice: 'required' })).toEqual({ contents: [said({ text: 'hello' })] })
  })

  it('has no parameters for a tool without any', () => {
    const tool: Tool = { ...read, parameters: { type: 'object', properties: {} } }
    expect(body({ tools: [tool] }).tools).toEqual([
      { functionDeclarations: [{ name: 'read', description: 'Reads a file.' }] },
    ])
  })

  it.each([
    ['required', { mode: 'ANY' }],
    ['none', { mode: 'NONE' }],
    [{ tool: 'read' }, { mode: 'ANY', allowedFunctionNames: ['read'] }],
  ] as const)('says that calls are %j', (toolChoice, functionCallingConfig) => {
    expect(body({ tools: [read], toolChoice }).toolConfig).toEqual({ functionCallingConfig })
  })
})

describe('thinking', () => {
  const levels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']
  const of = (model: string, thinking?: Thinking) =>
    levels.map((level) => {
      const info = thinking === undefined ? {} : { info: { provider: 'gemini', id: model, thinking } }
      const config = body({ model, thinking: level, ...info }).generationConfig?.thinkingConfig
      if (config === undefined) return undefined
      const depth = config.thinkingLevel ?? config.thinkingBudget
      expect(config.includeThoughts).toBe(level !== 'off' && depth !== 0)
      return depth
    })

  it.each([
    ['gemini-2.5-pro', [128, 1024, 2048, 8192, 16_384, 32_000]],
    ['gemini-2.5-flash-lite', [0, 1024, 2048, 8192, 16_384, 24_576]],
    ['models/gemini-3-pro-preview', ['low', 'low', 'low', 'low', 'high', 'high']],
    ['gemini-3.5-flash', ['low', 'low', 'low', 'low', 'high', 'high']],
    ['gemini-2.5-flash-image', levels.map(() => undefined)],
    ['gemini-2.0-flash', levels.map(() => undefined)],
    ['gemma-3-27b-it', levels.map(() => undefined)],
  ])('of %s follows from its name', (model, expected) => expect(of(model)).toEqual(expected))

  it.each<[Thinking, unknown[]]>([
    [{ type: 'none' }, levels.map(() => undefined)],
    [{ type: 'fixed' }, levels.map(() => undefined)],
    [{ type: 'effort', levels: [] }, levels.map(() => undefined)],
    [
      { type: 'effort', levels: ['minimal', 'medium'] },
      ['minimal', 'minimal', 'minimal', 'medium', 'medium', 'medium'],
    ],
    [{ type: 'effort', levels: ['off', 'high'] }, [0, 0, 0, 'high', 'high', 'high']],
    [{ type: 'budget', min: 2000, max: 9000, optional: true }, [0, 2000, 2048, 8192, 9000, 9000]],
    [{ type: 'budget', min: 2000, max: 9000, optional: false }, [2000, 2000, 2048, 8192, 9000, 9000]],
  ])('follows the known facts of the model: %j', (thinking, expected) => {
    expect(of('gemini-3-pro-preview', thinking)).toEqual(expected)
  })

  it('is left to the server by default', () => {
    expect(body({ model: 'gemini-3-pro-preview' })).not.toHaveProperty('generationConfig')
  })
})
