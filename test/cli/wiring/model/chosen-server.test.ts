import { describe, expect, it } from 'vitest'
import { findServer, providerNames } from '../../../../src/cli/wiring/model/chosen-server.ts'
import { builtinServers } from '../../../../src/config/models/servers.ts'
import type { Settings } from '../../../../src/config/settings.ts'
import { thrown } from '../../../support/thrown.ts'

function find(name: string, providers: Settings['providers'] = {}, env: Record<string, string> = {}) {
  return findServer(name, { providers }, env)
}

const addressed = builtinServers.filter(({ baseUrl }) => baseUrl !== undefined)

describe('a built-in server', () => {
  it.each(addressed)('$name has its own address', ({ name, dialect, baseUrl, apiKeyEnv, quirks }) => {
    expect(find(name)).toMatchObject({
      name,
      dialect,
      baseUrl,
      ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
      ...(quirks === undefined ? {} : { quirks }),
    })
  })

  it('has a unique name, and an https address unless it is local', () => {
    const names = builtinServers.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { baseUrl, apiKeyEnv } of addressed) {
      expect(baseUrl).toMatch(apiKeyEnv === undefined ? /^http:\/\/127\.0\.0\.1:\d+/ : /^https:/)
    }
  })

  it('gets its address from its variable, else the settings, else another program’s variable', () => {
    const own = { gemini: { base_url: 'https://settings.example' } }
    const other = { GOOGLE_GEMINI_BASE_URL: 'https://other.example/' }
    const variable = { ...other, GEMINI_BASE_URL: 'https://variable.example/v1beta' }
    expect(find('gemini', own, variable).baseUrl).toBe('https://variable.example')
    expect(find('gemini', own, other).baseUrl).toBe('https://settings.example')
    expect(find('gemini', {}, other).baseUrl).toBe('https://other.example')
    expect(find('gemini', {}, { GEMINI_BASE_URL: '' }).baseUrl).toBe(
      'https://generativelanguage.googleapis.com',
    )
  })

  it('is changed by the settings field by field, including quirks', () => {
    const mistral = {
      api_key_env: 'MY_KEY',
      headers: { 'x-team': 'a' },
      quirks: { call_id_length: 12, reasoning_effort: { xhigh: 'high' } },
    } as const
    expect(find('mistral', { mistral })).toEqual({
      name: 'mistral',
      dialect: 'openai-chat',
      baseUrl: 'https://api.mistral.ai/v1',
      apiKeyEnv: 'MY_KEY',
      headers: { 'x-team': 'a' },
      quirks: {
        ...builtinServers.find(({ name }) => name === 'mistral')?.quirks,
        callIdLength: 12,
        reasoningEffort: { xhigh: 'high' },
      },
      defaultModel: 'mistral-medium-latest',
    })
  })

  it('with an invalid variable names it without its value', async () => {
    const error = await thrown(() => find('openai', {}, { OPENAI_BASE_URL: 'user:secret@x.example' }))
    expect(error).toMatchObject({
      code: 'config',
      message: 'OPENAI_BASE_URL: expected an http or https URL',
    })
  })
})

describe('openai', () => {
  it('speaks Responses at its own address, and at those of its regions', () => {
    expect(find('openai')).toMatchObject({
      dialect: 'openai-responses',
      quirks: { maxTokensField: 'max_completion_tokens' },
    })
    const env = { OPENAI_BASE_URL: 'https://eu.api.openai.com/v1/' }
    expect(find('openai', {}, env)).toMatchObject({
      dialect: 'openai-responses',
      baseUrl: 'https://eu.api.openai.com/v1',
    })
  })

  it.each([
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, {}],
    ['OPENAI_API_BASE', { OPENAI_API_BASE: 'http://127.0.0.1:1/v1/' }, {}],
    ['the settings', {}, { openai: { base_url: 'http://127.0.0.1:1/v1' } }],
  ])('moved by %s is a compatible server', (_, env, providers) => {
    expect(find('openai', providers, env)).toEqual({
      name: 'openai',
      dialect: 'openai-chat',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKeyEnv: 'OPENAI_API_KEY',
    })
  })

  it('speaks the dialect of the settings at any address', () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    expect(find('openai', { openai: { dialect: 'openai-responses' } }, env).dialect).toBe('openai-responses')
    expect(find('openai', { openai: { dialect: 'openai-chat' } })).toMatchObject({
      dialect: 'openai-chat',
      quirks: { maxTokensField: 'max_completion_tokens' },
    })
  })
})

describe('azure', () => {
  it.each([
    [{ AZURE_OPENAI_ENDPOINT: 'https://me.openai.azure.com/' }, 'https://me.openai.azure.com/openai/v1'],
    [{ AZURE_BASE_URL: 'https://me.openai.azure.com/openai/v1' }, 'https://me.openai.azure.com/openai/v1'],
    [{ AZURE_BASE_URL: 'https://gate.example/azure' }, 'https://gate.example/azure'],
  ])('gets its address from %j', (env, baseUrl) => {
    expect(find('azure', {}, env)).toMatchObject({
      baseUrl,
      dialect: 'openai-chat',
      apiKeyEnv: 'AZURE_OPENAI_API_KEY',
      quirks: { keyHeader: 'api-key' },
    })
  })

  it('needs an address', async () => {
    expect(await thrown(() => find('azure'))).toMatchObject({
      code: 'config',
      message:
        'providers.azure.base_url is missing in config.json: expected an http or https URL (or export AZURE_BASE_URL=… or AZURE_OPENAI_ENDPOINT=…)',
    })
  })
})

describe('ollama', () => {
  it.each([
    [{ OLLAMA_HOST: '0.0.0.0:8000' }, {}, 'ollama', 'http://127.0.0.1:8000'],
    [{ OLLAMA_BASE_URL: 'http://box:1/v1' }, {}, 'ollama', 'http://box:1'],
    [{}, { ollama: { dialect: 'openai-chat' } }, 'openai-chat', 'http://127.0.0.1:11434/v1'],
    [{ OLLAMA_HOST: 'box' }, { ollama: { dialect: 'openai-chat' } }, 'openai-chat', 'http://box:11434/v1'],
  ] as const)('with %j and %j speaks %s at %s', (env, providers, dialect, baseUrl) => {
    const quirks = { thinkTags: 'both' }
    expect(find('ollama', providers, env)).toEqual({ name: 'ollama', dialect, baseUrl, quirks })
  })
})

describe('a server of the settings', () => {
  it('speaks Chat Completions by default, and can have every quirk', () => {
    const quirks = {
      max_tokens_field: 'max_completion_tokens',
      stream_options: false,
      key_header: 'x-key',
      system_role: 'developer',
      call_id_length: 9,
      reasoning_effort: { minimal: 'low' },
      tool_choice_required: 'any',
      temperature_with_thinking: false,
      reasoning_content: true,
      user_after_tool: false,
      think_tags: 'closing',
    } as const
    expect(find('my-own', { 'my-own': { base_url: 'https://x.example/v1/', quirks } })).toEqual({
      name: 'my-own',
      dialect: 'openai-chat',
      baseUrl: 'https://x.example/v1',
      quirks: {
        maxTokensField: 'max_completion_tokens',
        streamOptions: false,
        keyHeader: 'x-key',
        systemRole: 'developer',
        callIdLength: 9,
        reasoningEffort: { minimal: 'low' },
        toolChoiceRequired: 'any',
        temperatureWithThinking: false,
        reasoningContent: true,
        userAfterTool: false,
        thinkTags: 'closing',
      },
    })
  })

  it('can get its address from the environment', () => {
    const env = { MY_OWN_BASE_URL: 'https://x.example/v1' }
    expect(find('my-own', { 'my-own': { dialect: 'anthropic' } }, env).baseUrl).toBe('https://x.example')
  })

  it.each([
    ['mistrl', 'unknown provider mistrl; did you mean mistral? Known: mine, anthropic, '],
    ['constructor', 'unknown provider constructor; known: '],
  ])('%s is unknown', async (name, message) => {
    expect(await thrown(() => find(name, { mine: {} }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining(message),
    })
  })

  it('is listed once, before the built-in ones', () => {
    const names = providerNames({ providers: { mine: {}, groq: {} } })
    expect(names.slice(0, 3)).toEqual(['mine', 'groq', 'anthropic'])
    expect(names.length).toBe(builtinServers.length + 1)
  })
})
