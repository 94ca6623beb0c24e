import { describe, expect, it } from 'vitest'
import { usualModels } from '../../../../src/cli/wiring/model/offered-models.ts'
import type { Settings } from '../../../../src/config/settings.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const fake = { dialect: 'openai-chat', base_url: 'http://127.0.0.1:9/v1' } as const

async function usual(settings: Settings, env: Readonly<Record<string, string>> = {}) {
  const home = await folderWith({})
  const machine = quietHost(home, { env: { PIPE_HOME: home, ...env } })
  return usualModels({ machine, settings })
}

describe('the usual models', () => {
  it('are those that the settings name anywhere, each once, in their order', async () => {
    const settings: Settings = {
      model: 'fake/m',
      fallback: ['fake/spare'],
      routes: { writer: ['fake/m', 'fake/prose'] },
      models: { 'fake/large': { context_window: 32_000 } },
      providers: { fake: { ...fake, models: ['m', 'n'] } },
    }
    const names = ['fake/m', 'fake/prose', 'fake/spare', 'fake/large', 'fake/n']
    expect(await usual(settings)).toEqual(names)
  })

  it('need a key where their server does', async () => {
    const settings: Settings = {
      models: { 'fake/m': { context_window: 32_000 } },
      providers: { fake: { ...fake, api_key_env: 'FAKE_KEY' } },
    }
    expect(await usual(settings)).toEqual([])
    expect(await usual(settings, { FAKE_KEY: 'k' })).toEqual(['fake/m'])
  })
})
