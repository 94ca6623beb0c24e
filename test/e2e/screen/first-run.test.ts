import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, openScreen } from '../../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }
/** A port on which nothing listens. */
const nowhere = 'http://127.0.0.1:9'

/** Opens a world without a model, a key and a server on this machine. */
async function openBare(more: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await openWorld()
  await world.configure({})
  const silence = {
    OLLAMA_BASE_URL: nowhere,
    LMSTUDIO_BASE_URL: `${nowhere}/v1`,
    LLAMACPP_BASE_URL: `${nowhere}/v1`,
    VLLM_BASE_URL: `${nowhere}/v1`,
  }
  return { ...world, env: { ...world.env, ...silence, ...more } }
}

describe('a first run without a model', () => {
  it('names the servers that it looks for on this machine, and says that it looked again', async () => {
    const screen = openScreen(await openBare(), 'exec pipe', size)
    await screen.until(/none found yet[\s\S]*Quit/)
    screen.type('\u001b[B')
    await screen.until(/❯ Use a model[\s\S]*\n {2}No local server with a model answers/)
    await screen.until(/Start one of ollama, lmstudio, llamacpp,\s+vllm, then press Enter to look again/)
    screen.type('\r')
    await screen.until(/❯ Use a model[\s\S]*\n {2}Still no local server with a model answers/)
  })

  it('takes a pasted key without showing it, and goes on with the model of its provider', async () => {
    const world = await openBare()
    const key = 'gsk_Secret1234567890'
    const screen = openScreen(
      { ...world, env: { ...world.env, GROQ_BASE_URL: world.server.baseUrl } },
      'exec pipe',
      size,
    )
    await screen.until(/pipe needs a model to talk to[\s\S]*none found yet/)
    screen.type(`\u001b[200~${key}\n\u001b[201~`)
    await screen.until(/Your key\n[\s\S]*› •{20}/)
    screen.type('\r')
    await screen.until(/^ask · .*gpt-oss/m)
    world.server.reply(say('Hello.'))
    screen.type('hi\r')
    await screen.until(/Hello\./)
    expect(world.server.requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${key}`])
    expect(JSON.parse(await readFile(join(world.home, 'auth.json'), 'utf8')).keys).toEqual({ groq: key })
    expect([screen.raw().includes(key), screen.raw().includes('gsk_')]).toEqual([false, false])
  })

  it('lists the commands to use instead if the user leaves', async () => {
    const screen = openScreen(await openBare(), 'exec pipe', { columns: 40, rows: 12 })
    await screen.until(/Quit/)
    screen.type('\u001b')
    expect(await screen.ended).toBe(41)
    expect(screen.history()).toContain('pipe auth set PROV')
  })
})

describe('/model', () => {
  it('lists the models, and switches to the chosen one', async () => {
    const world = await openBare({ ACME_KEY: 'k' })
    const acme = { dialect: 'openai-chat', base_url: world.server.baseUrl, api_key_env: 'ACME_KEY' }
    await world.configure({
      model: 'acme/small',
      providers: { acme: { ...acme, models: ['small', 'large'] } },
    })
    const screen = await openPrompt(world, size)
    screen.type('/model\r')
    await screen.until(/acme\n❯ {3}small ✓/)
    screen.type('lrg')
    await screen.until(/› lrg\n {2}acme\n❯ {3}large/)
    screen.type('\r')
    await screen.until(/model: acme\/large/)
    world.server.reply(say('Hello.'))
    screen.type('hi\r')
    await screen.until(/Hello\./)
    expect(world.server.requests.map(({ body }) => body.model)).toEqual(['large'])
  })
})
