import { describe, expect, it } from 'vitest'
import { newestOf, resolveModel } from '../../src/catalog/resolve.ts'
import { thrown } from '../support/thrown.ts'

const models = [
  'anthropic/claude-sonnet-5-5',
  'anthropic/claude-sonnet-5',
  'anthropic/claude-sonnet-4-6',
  'anthropic/claude-3-5-sonnet-20241022',
  'anthropic/claude-haiku-4-5',
  'openai/gpt-5',
  'openai/gpt-5-mini',
  'openai/gpt-5.1',
  'openai/gpt-4o-2024-05-13',
  'openai/gpt-4o',
  'mistral/mistral-large-latest',
  'mistral/mistral-large-2512',
  'groq/openai/gpt-oss-120b',
  'groq/moonshotai/kimi-k2-0905',
  'groq/moonshotai/kimi-k2',
  'openrouter/anthropic/claude-sonnet-4.6',
  'openrouter/openai/gpt-5',
  'openrouter/openai/gpt-oss-120b',
  'ollama/qwen3:8b',
].map((name) => {
  const slash = name.indexOf('/')
  return { provider: name.slice(0, slash), id: name.slice(slash + 1) }
})

const resolve = (text: string, ...usable: readonly string[]) => resolveModel(text, models, new Set(usable))
const refusal = (message: string) => ({ code: 'usage', message })

describe('a shortened name', () => {
  it.each([
    ['anthropic/claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['Sonnet-4.6', 'anthropic/claude-sonnet-4-6'],
    ['sonnet-5', 'anthropic/claude-sonnet-5'],
    ['anthropic/haiku', 'anthropic/claude-haiku-4-5'],
    ['haiku', 'anthropic/claude-haiku-4-5'],
    ['gpt-5', 'openai/gpt-5'],
    ['gpt-5-mini', 'openai/gpt-5-mini'],
    ['mini', 'openai/gpt-5-mini'],
    ['gpt-5-1', 'openai/gpt-5.1'],
    ['gpt-4o', 'openai/gpt-4o'],
    ['gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13'],
    ['gpt-4o-2024-11-20', 'openai/gpt-4o-2024-11-20'],
    ['mistral-large', 'mistral/mistral-large-latest'],
    ['mistral-large-2512', 'mistral/mistral-large-2512'],
    ['openai/gpt-oss-120b', 'groq/openai/gpt-oss-120b'],
    ['kimi-k2-0905', 'groq/moonshotai/kimi-k2-0905'],
    ['kimi-k2', 'groq/moonshotai/kimi-k2'],
    ['openrouter/gpt-5', 'openrouter/openai/gpt-5'],
    ['qwen3:8b', 'ollama/qwen3:8b'],
    ['qwen3', 'ollama/qwen3:8b'],
  ])('%s means %s', (text, expected) => {
    expect(resolve(text)).toBe(expected)
    expect(resolve(`${text}:high`)).toBe(`${expected}:high`)
  })

  it.each([
    ['gpt-5', 'openrouter/openai/gpt-5'],
    ['sonnet-4-6', 'openrouter/anthropic/claude-sonnet-4.6'],
    ['sonnet', 'openrouter/anthropic/claude-sonnet-4.6'],
    ['openai/gpt-5', 'openai/gpt-5'],
    ['gpt-5-mini', 'openai/gpt-5-mini'],
  ])('%s means the usable %s if only OpenRouter is usable', (text, expected) => {
    expect(resolve(text, 'openrouter')).toBe(expected)
  })

  it('means the vendor’s own if both are usable', () => {
    expect(resolve('sonnet-4-6', 'openrouter', 'anthropic')).toBe('anthropic/claude-sonnet-4-6')
  })
})

describe('an unresolved name', () => {
  it('lists all matches', async () => {
    expect(await thrown(() => resolve('sonnet'))).toMatchObject(
      refusal(
        '"sonnet" matches several models: anthropic/claude-sonnet-5-5, anthropic/claude-sonnet-5, anthropic/claude-sonnet-4-6, ' +
          'anthropic/claude-3-5-sonnet-20241022; use a full name',
      ),
    )
  })

  it('lists eight matches and counts the rest', async () => {
    const message = expect.stringMatching(
      /^"-" matches several models: ([^,]+, ){7}[^ ]+ and 5 more; use a full name$/,
    )
    expect(await thrown(() => resolve('-'))).toMatchObject({ code: 'usage', message })
  })

  it.each([
    ['gpt-5-nimi', 'did you mean openai/gpt-5-mini, openai/gpt-5.1?'],
    ['haikku:high', 'did you mean anthropic/claude-haiku-4-5?'],
    ['mine/gpt-5', 'did you mean openai/gpt-5, openai/gpt-5.1, openai/gpt-5-mini?'],
    ['xyzzy', 'use provider/model, such as openai/gpt-5'],
    ['', 'use provider/model, such as openai/gpt-5'],
  ])('%j suggests similar models', async (text, hint) => {
    const name = JSON.stringify(text.replace(':high', ''))

    expect(await thrown(() => resolve(text))).toMatchObject(refusal(`unknown model ${name}; ${hint}`))
  })
})

it.each([
  ['sonnet', ['anthropic'], 'anthropic/claude-sonnet-5-5'],
  ['sonnet', ['openrouter'], 'openrouter/anthropic/claude-sonnet-4.6'],
  ['sonnet', ['openai'], undefined],
  ['son', ['anthropic'], undefined],
])(
  'the newest model of a family is the first that a usable provider has: %s of %s',
  (family, usable, newest) => {
    expect(newestOf(family, models, new Set(usable))).toBe(newest)
  },
)
