import type { RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findLocalModel, findLocalModels } from '../../../src/cli/wiring/local-servers.ts'
import type { Settings } from '../../../src/config/settings.ts'
import { createTransport } from '../../../src/http/transport.ts'
import type { Transport } from '../../../src/transport.ts'
import { deferred } from '../../support/deferred.ts'
import { createHandClock } from '../../support/hand-clock.ts'
import { quietHost } from '../../support/host.ts'
import { thrown } from '../../support/thrown.ts'
import { serve } from '../../support/web-server.ts'

/** Answers one path with JSON, all others with 404. */
function answers(path: string, body: unknown): RequestListener {
  return ({ url }, response) => {
    if (url !== path) response.statusCode = 404
    response.end(url === path ? JSON.stringify(body) : '{"error": "not found"}')
  }
}

const nowhere = { base_url: 'http://127.0.0.1:1/v1' }
/** The built-in local servers, whatever runs on this machine, are not there. */
const silent = { ollama: nowhere, lmstudio: nowhere, llamacpp: nowhere, vllm: nowhere }

function search(providers: NonNullable<Settings['providers']>, env: Record<string, string> = {}) {
  const transport = createTransport()
  onTestFinished(() => transport.close())
  const clock = createHandClock()
  const stop = new AbortController()
  return {
    clock,
    stop,
    settings: { providers: { ...providers, ...Object.fromEntries(rest(providers)) } },
    host: quietHost('/', { clock, env }),
    transport,
    signal: stop.signal,
  }
}

/** A transport that tells when the first body has been read to its end. */
function watched(inner: Transport) {
  const { promise: whole, resolve } = deferred()
  async function* watch(body: AsyncIterable<Uint8Array>) {
    yield* body
    resolve()
  }
  const transport: Transport = {
    ...inner,
    send: async (request, options) => {
      const response = await inner.send(request, options)
      return { ...response, body: watch(response.body) }
    },
  }
  return { transport, whole }
}

function rest(providers: object) {
  return Object.entries(silent).filter(([name]) => !Object.hasOwn(providers, name))
}

describe('local servers', () => {
  it('are asked in their own dialect, the settings’ own first', async () => {
    const { url: ollama } = await serve(
      answers('/api/tags', { models: [{ name: 'qwen3:8b' }, { name: 'llama3' }] }),
    )
    const { url: studio } = await serve(answers('/v1/models', { data: [{ id: 'a/b' }, { nothing: true }] }))
    const { url: mine } = await serve(answers('/v1/models?x=y', { data: [{ id: 'own' }] }))
    const found = await findLocalModels(
      search({
        lmstudio: { base_url: `${studio}/v1` },
        ollama: { base_url: ollama },
        mine: { base_url: `${mine}/v1?x=y` },
        keyed: { base_url: `${mine}/v1`, api_key_env: 'KEY' },
      }),
    )
    expect(found.map(({ server, models }) => [server.name, server.dialect, models])).toEqual([
      ['lmstudio', 'openai-chat', ['a/b']],
      ['ollama', 'ollama', ['qwen3:8b', 'llama3']],
      ['mine', 'openai-chat', ['own']],
    ])
  })

  it('have 150 ms, all together', async () => {
    const { url: quick } = await serve(answers('/api/tags', { models: [{ name: 'quick' }] }))
    const { url: slow } = await serve(() => {})
    const { url: slower } = await serve((_, response) => void response.write('{'))
    const world = search({ ollama: { base_url: quick }, a: { base_url: slow }, b: { base_url: slower } })
    const { transport, whole } = watched(world.transport)
    const found = findLocalModels({ ...world, transport })
    await whole
    expect(world.clock.slept).toEqual([150])
    world.clock.advance(150)
    expect((await found).map(({ models }) => models)).toEqual([['quick']])
  })

  it.each([
    ['no JSON', '<html>'],
    ['no list', '{"data": {}}'],
    ['another kind of server', '[1]'],
  ])('that answer with %s are none', async (_, body) => {
    const { url } = await serve((_, response) => response.end(body))
    expect(await findLocalModels(search({ vllm: { base_url: url } }))).toEqual([])
  })

  it('are not waited for when the run is over', async () => {
    const asked = deferred()
    const { url: slow } = await serve(() => asked.resolve())
    const world = search({ vllm: { base_url: slow } })
    const found = findLocalModels(world)
    await asked.promise
    world.stop.abort()
    expect(await found).toEqual([])
  })

  it('with a wrong address are an error that names it', async () => {
    const { ollama: _, ...others } = silent
    const world = search(others, { OLLAMA_BASE_URL: 'ftp://x' })
    expect(await thrown(() => findLocalModels(world))).toMatchObject({
      code: 'config',
      message: 'OLLAMA_BASE_URL: expected an http or https URL',
    })
  })
})

describe('the local model that is taken', () => {
  it('is the first that is no embedding', async () => {
    const { url: empty } = await serve(answers('/api/tags', { models: [] }))
    const { url: studio } = await serve(
      answers('/v1/models', { data: [{ id: 'text-embedding-nomic' }, { id: 'qwen3' }, { id: 'x' }] }),
    )
    expect(
      await findLocalModel(search({ ollama: { base_url: empty }, lmstudio: { base_url: `${studio}/v1` } })),
    ).toBe('lmstudio/qwen3')
  })

  it('is none where no server answers', async () => {
    expect(await findLocalModel(search({}))).toBeUndefined()
  })
})
