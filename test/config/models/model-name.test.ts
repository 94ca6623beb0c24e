import { describe, expect, it } from 'vitest'
import { parseModelName } from '../../../src/config/models/model-name.ts'
import { thrown } from '../../support/thrown.ts'

describe('a model name', () => {
  it.each([
    ['openai/gpt-5', { provider: 'openai', model: 'gpt-5' }],
    ['openai/gpt-5:high', { provider: 'openai', model: 'gpt-5', thinking: 'high' }],
    ['openai/gpt-5:off', { provider: 'openai', model: 'gpt-5', thinking: 'off' }],
    [
      'openrouter/anthropic/claude-sonnet-4.5',
      { provider: 'openrouter', model: 'anthropic/claude-sonnet-4.5' },
    ],
    ['ollama/qwen3:8b', { provider: 'ollama', model: 'qwen3:8b' }],
    ['ollama/qwen3:8b:minimal', { provider: 'ollama', model: 'qwen3:8b', thinking: 'minimal' }],
    ['openrouter/x/y:free', { provider: 'openrouter', model: 'x/y:free' }],
    ['openai/gpt-5:HIGH', { provider: 'openai', model: 'gpt-5:HIGH' }],
    ['ollama/:high', { provider: 'ollama', model: ':high' }],
    ['replay//tmp/script.json', { provider: 'replay', model: '/tmp/script.json' }],
  ])('%s is read', (text, expected) => {
    expect(parseModelName(text)).toEqual(expected)
  })

  it.each(['gpt-5', '', '/', '/gpt-5', 'openai/'])('cannot be %j', async (text) => {
    expect(await thrown(() => parseModelName(text))).toMatchObject({
      code: 'usage',
      message: `expected provider/model, such as openai/gpt-5, not ${JSON.stringify(text)}`,
    })
  })
})
