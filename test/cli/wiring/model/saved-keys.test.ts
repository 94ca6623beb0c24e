import { describe, expect, it } from 'vitest'
import { openKeyStore } from '../../../../src/cli/wiring/model/saved-keys.ts'
import { readAuthFile } from '../../../../src/config/auth-file.ts'
import { createHandClock } from '../../../support/clocks/hand-clock.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { serve } from '../../../support/servers/web-server.ts'
import { thrown } from '../../../support/thrown.ts'

/** Opens the keys of a user whose provider `acme` answers with this status. */
async function openKeys(status: number, env: Readonly<Record<string, string>> = {}) {
  const home = await folderWith()
  const asked: (string | undefined)[] = []
  const { url } = await serve((request, response) => {
    asked.push(request.headers.authorization)
    response.statusCode = status
    response.end('{}')
  })
  const acme = { dialect: 'openai-chat', base_url: `${url}/v1`, api_key_env: 'ACME_KEY' } as const
  const machine = quietHost('/', { clock: createHandClock(), env: { PIPE_HOME: home, ...env } })
  const keyStore = await openKeyStore({ machine, settings: { providers: { acme } } })
  const stored = async () => Object.fromEntries((await readAuthFile(home)).keys)
  return { keyStore, home, asked, stored }
}

const { signal } = new AbortController()

describe('the keys of a user', () => {
  it('are asked for at their provider, and stored', async () => {
    const { keyStore, home, asked, stored } = await openKeys(200)
    expect(await keyStore.store('acme', ' k-1 ', signal)).toBe(
      `the key for acme is stored in ${home}/auth.json`,
    )
    expect([asked, await stored()]).toEqual([['Bearer k-1'], { acme: 'k-1' }])
  })

  it.each([401, 403])('are not stored if the provider refuses them with %i', async (status) => {
    const { keyStore, stored } = await openKeys(status)
    expect(await thrown(() => keyStore.store('acme', 'k-1', signal))).toMatchObject({ code: 'auth' })
    expect(await stored()).toEqual({})
  })

  it('are stored if the provider does not say, with a note', async () => {
    const { keyStore, stored } = await openKeys(404, { ACME_KEY: 'k-0' })
    expect(await keyStore.store('acme', 'k-1', signal)).toMatch(
      /; it could not be checked with acme; ACME_KEY is set and overrides it$/,
    )
    expect(await stored()).toEqual({ acme: 'k-1' })
  })

  it('are no texts with spaces', async () => {
    const { keyStore, asked } = await openKeys(200)
    expect(await thrown(() => keyStore.store('acme', 'k 1', signal))).toMatchObject({ code: 'input' })
    expect(asked).toEqual([])
  })

  it('are for a provider that exists', async () => {
    const { keyStore } = await openKeys(200)
    keyStore.check('acme')
    keyStore.check('anthropic')
    expect(await thrown(async () => keyStore.check('acmee'))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('unknown provider acmee; did you mean acme?'),
    })
  })

  it('tell their provider by how they begin, where that is certain', async () => {
    const { keyStore } = await openKeys(200)
    expect(['sk-ant-api03-x', 'sk-or-v1-x', 'gsk_x', 'AIzaSy', 'sk-x', ''].map(keyStore.providerOf)).toEqual([
      ...['anthropic', 'openrouter', 'groq', 'gemini', undefined, undefined],
    ])
    expect(keyStore.providers()[0]).toEqual({ name: 'acme' })
  })
})
