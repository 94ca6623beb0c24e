import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeSettings } from '../../src/config/merge-settings.ts'
import type { Settings } from '../../src/config/settings.ts'
import { anySettings } from '../support/settings.ts'

describe('two layers', () => {
  it('are merged by key; a later value replaces an earlier one', () => {
    const under: Settings = {
      model: 'a/1',
      system_prompt: 'Be brief.',
      providers: {
        a: {
          dialect: 'openai-chat',
          base_url: 'http://a',
          headers: { one: '1', two: '2' },
          models: ['1', '2'],
        },
        b: { dialect: 'openai-chat' },
      },
    }
    const over: Settings = {
      model: 'a/2',
      permissions: { mode: 'plan' },
      providers: {
        a: { dialect: 'openai-chat', api_key_env: 'KEY', headers: { two: '3' }, models: ['3'] },
        c: { dialect: 'openai-chat' },
      },
    }
    expect(mergeSettings(under, over)).toEqual({
      model: 'a/2',
      system_prompt: 'Be brief.',
      permissions: { mode: 'plan' },
      providers: {
        a: {
          dialect: 'openai-chat',
          base_url: 'http://a',
          api_key_env: 'KEY',
          headers: { one: '1', two: '3' },
          models: ['3'],
        },
        b: { dialect: 'openai-chat' },
        c: { dialect: 'openai-chat' },
      },
    })
  })

  it('unite only the lists under permissions', () => {
    const under = {
      permissions: { deny: ['a', 'b'], mode: 'plan' },
      providers: { permissions: { models: ['a'] } },
    }
    const over = {
      permissions: { deny: ['b', 'c'], mode: 'auto' },
      providers: { permissions: { models: ['b'] } },
    }
    expect(mergeSettings(under, over)).toEqual({
      permissions: { deny: ['a', 'b', 'c'], mode: 'auto' },
      providers: { permissions: { models: ['b'] } },
    })
  })

  it('keep keys with a special meaning in JavaScript', () => {
    const merged = mergeSettings<object>(
      JSON.parse('{"__proto__": {"a": 1}}'),
      JSON.parse('{"__proto__": {"b": 2}}'),
    )
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1,"b":2}}')
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  })
})

describe('merging settings', () => {
  it('is associative', () => {
    fc.assert(
      fc.property(anySettings, anySettings, anySettings, (a, b, c) => {
        expect(mergeSettings(mergeSettings(a, b), c)).toEqual(mergeSettings(a, mergeSettings(b, c)))
      }),
    )
  })

  it('with an empty layer, or with itself, changes nothing', () => {
    fc.assert(
      fc.property(anySettings, (a) => {
        expect([mergeSettings(a, {}), mergeSettings({}, a), mergeSettings(a, a)]).toEqual([a, a, a])
      }),
    )
  })
})
