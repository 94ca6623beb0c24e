import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createCatalog, openCatalog } from '../../src/catalog/catalog.ts'
import { encodeModelRow } from '../../src/catalog/model-row.ts'
import data from '../../src/catalog/models.json' with { type: 'json' }
import { builtinServers } from '../../src/config/models/servers.ts'
import { type ModelInfo, thinkingLevels } from '../../src/model.ts'
import { recordingsFolder } from '../support/sessions/recordings.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'

const rows = {
  models: {
    openai: {
      'gpt-5': {
        context_window: 400_000,
        max_output: 128_000,
        images: true,
        documents: true,
        tools: true,
        thinking: { type: 'effort', levels: ['high', 'minimal', 'max'] },
        price: {
          input: 1.25,
          output: 10,
          cache_read: 0.125,
          long: { above: 272_000, input: 2.5, output: 15 },
        },
      },
      'gpt-4o': { context_window: 128_000 },
      'gpt-4o-2024-05-13': { context_window: 1 },
      'gpt-4': { context_window: 8192, thinking: 'none' },
    },
    anthropic: {
      'claude-sonnet-4-5': {
        context_window: 200_000,
        thinking: { type: 'budget', min: 1024, max: 63_999 },
        price: { input: 3, output: 15 },
      },
    },
    gemini: { 'gemini-2.5-pro': { images: true } },
    mistral: { 'mistral-large-latest': { images: true }, 'mistral-large': { images: false } },
    openrouter: { 'qwen/qwen3-coder': { tools: true, price: { input: 1, output: 2 } } },
  },
}

const gpt5 = {
  contextWindow: 400_000,
  maxOutput: 128_000,
  images: true,
  documents: true,
  tools: true,
  thinking: { type: 'effort', levels: ['minimal', 'high'] },
  price: { input: 1.25, output: 10, cacheRead: 0.125, long: { above: 272_000, input: 2.5, output: 15 } },
}

quickDescribe('a model', () => {
  const { find } = createCatalog(rows)

  it('has all fields of its row', () => {
    expect(find('openai', 'gpt-5')).toEqual({ provider: 'openai', id: 'gpt-5', ...gpt5 })
  })

  it.each([
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5-20250807', 'gpt-5'],
    ['gpt-5@20250807', 'gpt-5'],
    ['gpt-5-latest', 'gpt-5'],
    ['gpt-5:latest', 'gpt-5'],
    ['gpt-4-0613', 'gpt-4'],
    ['gpt-4o-2024-11-20', 'gpt-4o'],
  ])('with a date, %s, is found without it', (id, plain) => {
    expect(find('openai', id)).toEqual({ ...find('openai', plain), id })
  })

  it('with its own row for a date uses that row', () => {
    expect(find('openai', 'gpt-4o-2024-05-13')?.contextWindow).toBe(1)
  })

  it.each([
    ['openai', 'gpt-5-mini'],
    ['openai', 'gpt-5.1'],
    ['openai', 'gpt-5-1'],
    ['openai', 'gpt'],
    ['openai', 'gpt-4-1106-preview'],
    ['openai', 'GPT-5'],
    ['openai', 'gpt-5:free'],
    ['openai', 'models/gpt-5'],
    ['mistral', 'mistral-large-2407'],
    ['mistral', 'mistral-large-2512'],
    ['xai', 'gpt-5'],
    ['openrouter', 'gpt-5'],
    ['openrouter', 'openai'],
    ['openrouter', 'somebody/gpt-5'],
    ['openrouter', 'openai/gpt-5-mini'],
    ['azure', 'my-deployment'],
    ['openai', 'constructor'],
    ['__proto__', 'toString'],
    ['', ''],
  ])('of another name is unknown: %s/%s', (provider, id) => {
    expect(find(provider, id)).toBe(undefined)
  })

  it('of Azure is that of OpenAI', () => {
    expect(find('azure', 'gpt-5-2025-08-07')).toEqual({ provider: 'azure', id: 'gpt-5-2025-08-07', ...gpt5 })
  })

  it('of Gemini may be named with its path', () => {
    const id = 'models/gemini-2.5-pro'
    expect(find('gemini', id)).toEqual({ provider: 'gemini', id, images: true })
  })

  it('of OpenRouter is its vendor’s, without price and thinking', () => {
    const { price, thinking, ...own } = gpt5
    for (const id of ['openai/gpt-5', 'openai/gpt-5:nitro', 'openai/gpt-5-2025-08-07'])
      expect(find('openrouter', id)).toEqual({ provider: 'openrouter', id, ...own })
    const id = 'anthropic/claude-sonnet-4.5'
    expect(find('openrouter', id)).toEqual({ provider: 'openrouter', id, contextWindow: 200_000 })
  })

  it('of OpenRouter has its price there, but not in another variant', () => {
    const id = 'qwen/qwen3-coder'
    const coder = { provider: 'openrouter', tools: true }
    expect(find('openrouter', id)).toEqual({ ...coder, id, price: { input: 1, output: 2 } })
    expect(find('openrouter', `${id}:free`)).toEqual({ ...coder, id: `${id}:free` })
  })
})

quickDescribe('an override', () => {
  const catalog = createCatalog(rows, {
    'openai/gpt-5': { context_window: 9, price: { input: 1, output: 2 } },
    'mine/a/b': { tools: false, thinking: 'effort' },
    'anthropic/claude-sonnet-4-5-20250929': { images: false },
  })

  it('wins field by field, and the price as a whole', () => {
    const own = { ...gpt5, contextWindow: 9, price: { input: 1, output: 2 } }
    expect(catalog.find('openai', 'gpt-5')).toEqual({ provider: 'openai', id: 'gpt-5', ...own })
    expect(catalog.find('azure', 'gpt-5-2025-08-07')?.contextWindow).toBe(9)
  })

  it('makes a model known', () => {
    expect(catalog.find('mine', 'a/b')).toEqual({
      provider: 'mine',
      id: 'a/b',
      tools: false,
      thinking: { type: 'effort', levels: ['low', 'medium', 'high'] },
    })
  })

  it('may refer to a model found by another name', () => {
    expect(catalog.find('anthropic', 'claude-sonnet-4-5-20250929')).toMatchObject({
      contextWindow: 200_000,
      images: false,
    })
    expect(catalog.find('anthropic', 'claude-sonnet-4-5')).not.toHaveProperty('images')
  })

  it('is listed, new models at the end', () => {
    const names = catalog.list().map(({ provider, id }) => `${provider}/${id}`)
    expect(names.slice(0, 2)).toEqual(['openai/gpt-5', 'openai/gpt-4o'])
    expect(names.slice(-2)).toEqual(['mine/a/b', 'anthropic/claude-sonnet-4-5-20250929'])
    expect(names).toHaveLength(11)
  })

  it.each([
    ['none', { type: 'none' }],
    ['fixed', { type: 'fixed' }],
    ['effort', { type: 'effort', levels: ['low', 'medium', 'high'] }],
    ['budget', { type: 'budget', min: 1024, max: 32_000, optional: true }],
    [
      { type: 'budget', max: 5, optional: false },
      { type: 'budget', min: 1024, max: 5, optional: false },
    ],
    ['of a later version', undefined],
  ])('may set the thinking of a model with one word: %j', (thinking, expected) => {
    const { find } = createCatalog({ models: {} }, { 'a/b': { thinking } })
    expect(find('a', 'b')?.thinking).toEqual(expected)
  })
})

quickDescribe('the program’s own data', async () => {
  const catalog = await openCatalog()
  const models = catalog.list()

  it('names its date and source, and has each provider’s models', () => {
    expect(data.date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(data.sources.every((source) => URL.canParse(source))).toBe(true)
    expect(Object.keys(data.models)).toEqual([
      'anthropic',
      'openai',
      'gemini',
      'mistral',
      'xai',
      'deepseek',
      'groq',
      'openrouter',
    ])
  })

  it('is plausible', () => {
    expect(models.length).toBeGreaterThan(100)
    expect(models.flatMap((model) => faults(model).map((fault) => [model.id, fault]))).toEqual([])
  })

  it('is encoded as it is decoded', () => {
    const written = models.map((model) => encodeModelRow(model))
    const read = Object.values(data.models).flatMap((of) => Object.values(of))
    const words = (row: object) =>
      JSON.parse(JSON.stringify(row).replace(/"thinking":"(\w+)"/, '"thinking":{"type":"$1"}'))
    expect(written).toEqual(read.map(words))
  })

  it('knows the default models of all providers', () => {
    const defaults = builtinServers.flatMap(({ name, defaultModel }) =>
      defaultModel === undefined
        ? []
        : [[name, catalog.find(name, defaultModel)?.contextWindow !== undefined]],
    )
    expect(defaults).toEqual(defaults.map(([name]) => [name, true]))
  })

  it.runIf(recordingsFolder !== '')('knows most models that were recorded of these providers', () => {
    const recorded = recordedModels().filter(([server]) => server in data.models)
    const unknown = recorded.filter(([server, model]) => catalog.find(server, model) === undefined)
    expect(recorded.length).toBeGreaterThan(50)
    expect(unknown.length / recorded.length).toBeLessThan(0.2)
  })
})

sizedIt('finds any model without failing, under the requested name', () => {
  const { find } = createCatalog(rows)
  const provider = fc.constantFrom(...Object.keys(rows.models), 'azure', 'mine')
  const part = fc.constantFrom(
    'gpt-5',
    'openai/',
    'claude-sonnet-4-5',
    '-0613',
    '@20250101',
    ':free',
    '-latest',
    '.',
    '/',
  )
  const id = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(provider, id, (provider, id) => {
      const found = find(provider, id)
      if (found !== undefined) expect([found.provider, found.id]).toEqual([provider, id])
      for (const level of found?.thinking?.type === 'effort' ? found.thinking.levels : [])
        expect(thinkingLevels).toContain(level)
    }),
    { numRuns: sized(200, 40) },
  )
})

/** Implausible facts of a model. */
function faults({ contextWindow = 0, maxOutput = 1, price, thinking }: ModelInfo): readonly string[] {
  const { input = 1, output = 1, cacheRead = 0, long } = price ?? {}
  const holds = {
    'a window': contextWindow >= 8192 && contextWindow <= 2_000_000,
    'a limit within the window': maxOutput > 0 && maxOutput <= contextWindow,
    'levels to set': thinking?.type !== 'effort' || thinking.levels.length > 0,
    'a budget within the limit':
      thinking?.type !== 'budget' || (thinking.min < thinking.max && thinking.max <= maxOutput),
    'a price that grows with the work': input > 0 && output >= input && cacheRead <= input,
    'a price that grows with the prompt':
      long === undefined || (long.above < contextWindow && long.input > input && long.output > output),
  }
  return Object.entries(holds).flatMap(([name, held]) => (held ? [] : [name]))
}

function recordedModels(): readonly (readonly [string, string])[] {
  return readdirSync(recordingsFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('meta.json'))
    .map((path) => JSON.parse(readFileSync(join(recordingsFolder, path), 'utf8')))
    .flatMap(({ server, model }) => (typeof model === 'string' ? [[String(server), model] as const] : []))
}
