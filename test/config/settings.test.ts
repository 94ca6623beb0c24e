import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { isPipeError } from '../../src/error.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

async function settingsFile(text: string): Promise<string> {
  return join(await folderWith({ 'config.json': text }), 'config.json')
}

describe('settings', () => {
  it('are empty if the file is missing', async () => {
    expect(await readSettings(join(await folderWith(), 'config.json'))).toEqual({})
    expect(await readSettings(join(await settingsFile('{}'), 'below', 'a', 'file'))).toEqual({})
  })

  it.each(['', ' \n', '{}', '// nothing yet\n{}'])('are empty for %j', async (text) => {
    expect(await readSettings(await settingsFile(text))).toEqual({})
  })

  it('may contain comments and trailing commas', async () => {
    const text = `{
      // the big one
      "model": "mine/big", /* for now */
      "permissions": { "mode": "plan", },
      "providers": {
        "mine": { "dialect": "openai-chat", "base_url": "https://x.example/v1", "headers": { "X-Team": "a" }, },
      },
    }`
    expect(await readSettings(await settingsFile(text))).toEqual({
      model: 'mine/big',
      permissions: { mode: 'plan' },
      providers: {
        mine: { dialect: 'openai-chat', base_url: 'https://x.example/v1', headers: { 'X-Team': 'a' } },
      },
    })
  })

  it.each([
    ['{\n  "model": "a/b"\n  "system_prompt": "x"\n}', ':3:3: not valid JSON: a comma is missing'],
    ['{ "model": ', ':1:12: not valid JSON: a value is missing'],
    ['model = x', ':1:1: not valid JSON: unexpected word; text needs double quotes'],
  ])('report the position of invalid JSON: %j', async (text, expected) => {
    const path = await settingsFile(text)
    expect(await thrown(() => readSettings(path))).toMatchObject({ code: 'config', message: path + expected })
  })

  it.each([
    ['[]', '', '1:1: Invalid input: expected object, received array'],
    ['null', '', '1:1: Invalid input: expected object, received null'],
    ['{ "model": 5 }', 'model', 'model: Invalid input: expected string, received number'],
    ['{ "model": "" }', 'model', 'model: Too small'],
    [
      '{\n "permissions":\n { "mode": "yolo" } }',
      'permissions.mode',
      '3:12: permissions.mode: Invalid option',
    ],
    ['{ "modle": "x/y" }', '', '1:3: there is no setting called "modle"'],
    [
      '{ "providers": { "a": { "dialect": "openai-chat", "base_url": "localhost:1" } } }',
      'providers.a.base_url',
      'providers.a.base_url: expected an http or https URL',
    ],
    [
      '{ "providers": { "a": { "dialect": "smoke-signals" } } }',
      'providers.a.dialect',
      'providers.a.dialect: Invalid',
    ],
    [
      '{ "providers": { "a": { "dialect": "openai-chat", "api_key_env": "" } } }',
      'providers.a.api_key_env',
      'providers.a.api_key_env: Too small',
    ],
    ['{ "providers": { "a/b": { "dialect": "openai-chat" } } }', 'providers.a/b', 'providers.a/b: '],
    [
      '{ "providers": { "a": { "quirks": { "callIdLength": 9 } } } }',
      'providers.a.quirks',
      '1:37: providers.a.quirks: there is no setting called "callIdLength" here',
    ],
    ['{ "routes": { "fast": "gpt-5" } }', 'routes.fast', 'routes.fast: expected provider/model, such as'],
    [
      '{ "routes": { "fast": ["a/b", "gpt-5"] } }',
      'routes.fast.1',
      'routes.fast.1: expected provider/model, such as',
    ],
    ['{ "routes": { "fast": [] } }', 'routes.fast', 'routes.fast: '],
    [
      '{ "routes": { "fast": 5 } }',
      'routes.fast',
      'routes.fast: expected provider/model, such as openai/gpt-5, or a list of them',
    ],
    ['{ "fallback": ["a/b", "c"] }', 'fallback.1', 'fallback.1: expected provider/model, such as'],
    ['{ "prefer": "luck" }', 'prefer', 'prefer: Invalid option'],
    ['{ "models": { "big": {} } }', 'models.big', 'models.big: '],
    [
      '{ "providers": { "a": { "dialect": "openai-chat", "baseUrl": "http://x" } } }',
      'providers.a',
      '1:51: providers.a: there is no setting called "baseUrl" here',
    ],
  ])('report the position of invalid values: %s', async (text, field, expected) => {
    const path = await settingsFile(text)
    expect(await thrown(() => readSettings(path))).toMatchObject({
      code: 'config',
      message: expect.stringMatching(new RegExp(`^${path}:(\\d+:\\d+: )?${expected.replaceAll('.', '\\.')}`)),
      details: { field },
    })
  })

  it('may set routes, fallbacks, and facts about models', async () => {
    const settings = {
      routes: { default: 'anthropic/a', fast: ['groq/b:low', 'openai/c'] },
      fallback: ['openai/c'],
      prefer: 'latency',
      models: { 'mine/d': { context_window: 32_768, price: { input: 0.5, output: 1.5 }, thinking: 'none' } },
      providers: {
        mine: { base_url: 'https://x.example/v1', quirks: { reasoning_effort: { xhigh: 'max' } } },
      },
    }
    expect(await readSettings(await settingsFile(JSON.stringify(settings)))).toEqual(settings)
  })

  it('throw if the file is unreadable', async () => {
    const folder = await folderWith({ 'config.json/x': '' })
    expect(await thrown(() => readSettings(join(folder, 'config.json')))).toMatchObject({
      code: 'config',
      message: `cannot read ${join(folder, 'config.json')}: it is not a regular file`,
    })
  })
})

const value = fc.oneof(
  fc.constantFrom(
    'x/y',
    'http://localhost:1/v1',
    'https://x.example',
    ' https://x.example',
    'ftp://x',
    'http://',
    '',
  ),
  fc.webUrl(),
  fc.string(),
  fc.constantFrom(1, null, [], {}),
)
const server = fc
  .dictionary(fc.constantFrom('base_url', 'api_key_env', 'headers', 'url'), value, { maxKeys: 2 })
  .chain((fields) => fc.constantFrom(fields, { dialect: 'openai-chat', ...fields }))
const model = fc.constantFrom('x/y', 'x/y/z:high', 'x', '/y', 'x/', 'x/y z', 1)
const name = fc.constantFrom('mine', 'my.own_1-x', 'a/b', '', '-', 'ü', 'constructor', '__proto__')
const permissions = fc.dictionary(
  fc.constantFrom('mode', 'allow', '__proto__'),
  fc.constantFrom('plan', 'bypass', 'yolo', 1),
  { maxKeys: 2 },
)
const anySettings = fc.oneof(
  fc.record(
    {
      model: value,
      routes: fc.dictionary(name, fc.oneof(model, fc.array(model, { maxLength: 2 })), { maxKeys: 2 }),
      fallback: fc.oneof(fc.array(model, { maxLength: 2 }), model),
      prefer: fc.constantFrom('order', 'cost', 'latency', 'luck', 1),
      permissions,
      providers: fc.dictionary(name, server, { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.constantFrom('model', 'providers', 'system_prompt', 'permissions', 'other'), value),
)

it('accepts exactly the settings that the schema accepts, despite the shortcut for plain ones', async () => {
  const path = await settingsFile('')
  let taken = 0
  await fc.assert(
    fc.asyncProperty(anySettings, async (document) => {
      const text = JSON.stringify(document)
      await writeFile(path, text)
      const result = settingsSchema.safeParse(JSON.parse(text))
      if (result.success) {
        taken++
        expect(await readSettings(path)).toEqual(result.data)
      } else {
        const error = await thrown(() => readSettings(path))
        expect(isPipeError(error) && error.code).toBe('config')
      }
    }),
    { numRuns: 300 },
  )
  expect(taken).toBeGreaterThan(10)
})
