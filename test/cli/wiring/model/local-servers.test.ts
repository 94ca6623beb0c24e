import type { RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guessModel } from '../../../../src/cli/wiring/model/guessed-model.ts'
import { findLocalModels, locateServer } from '../../../../src/cli/wiring/model/local-servers.ts'
import type { Settings } from '../../../../src/config/settings.ts'
import { PipeError } from '../../../../src/error.ts'
import { createTransport } from '../../../../src/http/transport.ts'
import type { Transport } from '../../../../src/machine/transport.ts'
import { omitUndefined } from '../../../../src/omit-undefined.ts'
import { deferred } from '../../../support/clocks/deferred.ts'
import { createHandClock } from '../../../support/clocks/hand-clock.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { body } from '../../../support/models/playback.ts'
import { serve } from '../../../support/servers/web-server.ts'
import { thrown } from '../../../support/thrown.ts'

/** Answers one path with JSON, all others with 404. */
function answers(path: string, body: unknown): RequestListener {
  return ({ url }, response) => {
    if (url !== path) response.statusCode = 404
    response.end(url === path ? JSON.stringify(body) : '{"error": "not found"}')
  }
}

const nowhere = { base_url: 'http://127.0.0.1:1/v1' }
/** Replaces the built-in local servers, so that none on this machine answers. */
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
    machine: quietHost('/', { clock, env, ...omitUndefined({ uid: process.getuid?.() }) }),
    transport,
    signal: stop.signal,
  }
}

/** A transport that reports when the first body was read to its end. */
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
  it('are queried in their own dialect, those of the settings first', async () => {
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

  it('have one second in total', async () => {
    const { url: quick } = await serve(answers('/api/tags', { models: [{ name: 'quick' }] }))
    const { url: slow } = await serve(() => {})
    const { url: slower } = await serve((_, response) => void response.write('{'))
    const world = search({ ollama: { base_url: quick }, a: { base_url: slow }, b: { base_url: slower } })
    const { transport, whole } = watched(world.transport)
    const found = findLocalModels({ ...world, transport })
    await whole
    expect(world.clock.slept).toEqual([1_000])
    world.clock.advance(1_000)
    expect((await found).map(({ models }) => models)).toEqual([['quick']])
  })

  it.each([
    ['no JSON', '<html>'],
    ['no list', '{"data": {}}'],
    ['another kind of server', '[1]'],
  ])('are skipped if they answer with %s', async (_, body) => {
    const { url } = await serve((_, response) => response.end(body))
    expect(await findLocalModels(search({ vllm: { base_url: url } }))).toEqual([])
  })

  it('do not delay the end of a run', async () => {
    const asked = deferred()
    const { url: slow } = await serve(() => asked.resolve())
    const world = search({ vllm: { base_url: slow } })
    const found = findLocalModels(world)
    await asked.promise
    world.stop.abort()
    expect(await found).toEqual([])
  })

  it('cause no warning from Node, however many there are', async () => {
    const { url } = await serve(answers('/v1/models', { data: [{ id: 'm' }] }))
    const names = Array.from({ length: 30 }, (_, i) => `server-${i}`)
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const providers = Object.fromEntries(names.map((name) => [name, { base_url: `${url}/v1` }]))
    const found = await findLocalModels(search(providers))
    await new Promise(setImmediate)
    expect(found.map(({ server }) => server.name)).toEqual(names)
    expect(warnings).toEqual([])
  })

  it('with an invalid address cause an error that names it', async () => {
    const { ollama: _, ...others } = silent
    const world = search(others, { OLLAMA_BASE_URL: 'ftp://x' })
    expect(await thrown(() => findLocalModels(world))).toMatchObject({
      code: 'config',
      message: 'OLLAMA_BASE_URL: expected an http or https URL',
    })
  })
})

describe('llama.cpp, whose versions listen on different ports', () => {
  const { llamacpp: _, ...others } = silent
  const old = 'http://127.0.0.1:8080/v1'
  const young = 'http://127.0.0.1:9931/v1'

  /** A search in which these addresses answer with these models. */
  function machine(models: Readonly<Record<string, readonly string[]>>, env: Record<string, string> = {}) {
    const world = search(others, env)
    const transport: Transport = {
      send: async ({ url }) => {
        const ids = models[url.replace(/\/models$/, '')]
        if (ids === undefined) throw new PipeError('network', `${url} refused the connection`)
        const answer = JSON.stringify({ data: ids.map((id) => ({ id })) })
        return { status: 200, headers: {}, body: body({ bytes: answer }) }
      },
      close: () => {},
    }
    return { ...world, settings: { providers: others }, transport }
  }

  const locate = async (world: ReturnType<typeof machine>, model: string) =>
    (await locateServer({ provider: 'llamacpp', model }, world)).baseUrl

  it('is looked up on both', async () => {
    const both = { [old]: ['a'], [young]: ['b'] }
    const found = await findLocalModels(machine(both))
    expect(found.map(({ server, models }) => [server.name, server.baseUrl, models])).toEqual([
      ['llamacpp', old, ['a']],
      ['llamacpp', young, ['b']],
    ])
    const mac = machine({ [young]: ['b'] })
    const guess = await guessModel({ ...mac, machine: { ...mac.machine, platform: 'darwin' } })
    expect(guess.found).toMatchObject({ name: 'llamacpp/b', server: { baseUrl: young } })
  })

  it('is used at the port with the model, else one that answers, else the old one', async () => {
    expect(await locate(machine({ [old]: ['a'], [young]: ['b'] }), 'b')).toBe(young)
    expect(await locate(machine({ [old]: ['a'], [young]: ['b'] }), 'c')).toBe(old)
    expect(await locate(machine({ [young]: ['b'] }), 'c')).toBe(young)
    expect(await locate(machine({}), 'c')).toBe(old)
  })

  it('is used only at its configured address', async () => {
    const moved = { LLAMACPP_BASE_URL: 'http://127.0.0.1:7/v1' }
    expect(await locate(machine({ [young]: ['b'] }, moved), 'b')).toBe('http://127.0.0.1:7/v1')
    expect(await findLocalModels(machine({ [young]: ['b'] }, moved))).toEqual([])
  })
})

describe('the guessed local model', () => {
  const embedding = { data: [{ id: 'text-embedding-nomic' }, { id: 'qwen3' }, { id: 'x' }] }

  it('is the first non-embedding model', async () => {
    const { url: empty } = await serve(answers('/api/tags', { models: [] }))
    const { url: studio } = await serve(answers('/v1/models', embedding))
    const guess = await guessModel(
      search({ ollama: { base_url: empty }, lmstudio: { base_url: `${studio}/v1` } }),
    )
    expect(guess).toMatchObject({
      found: { name: 'lmstudio/qwen3', server: { baseUrl: `${studio}/v1` } },
      rejected: [],
    })
  })

  it('is absent if no server answers or the settings disable it', async () => {
    expect(await guessModel(search({}))).toEqual({ rejected: [] })
    const { url } = await serve(answers('/v1/models', embedding))
    const world = search({ lmstudio: { base_url: `${url}/v1` } })
    expect(await guessModel({ ...world, settings: { ...world.settings, local: false } })).toEqual({
      rejected: ['local servers are off: "local" is false in the settings'],
    })
  })

  it.runIf(process.platform === 'linux')(
    'is never on another user’s server, which is not contacted',
    async () => {
      const asked: unknown[] = []
      const { url } = await serve(({ url: path }) => void asked.push(path))
      const world = search({ lmstudio: { base_url: `${url}/v1` } })
      const uid = (process.getuid?.() ?? 0) + 1
      expect(await guessModel({ ...world, machine: { ...world.machine, uid } })).toEqual({
        rejected: [
          `lmstudio at ${url}/v1: another user (uid ${uid - 1}) is listening there; to use it, name it: pipe -m lmstudio/MODEL "…"`,
        ],
      })
      expect(asked).toEqual([])
    },
  )

  it('is absent if the server’s owner is unknown', async () => {
    const { url } = await serve(answers('/v1/models', embedding))
    const world = search({ lmstudio: { base_url: `${url}/v1` } })
    const { uid: _, ...machine } = world.machine
    expect((await guessModel({ ...world, machine })).found).toBeUndefined()
    expect((await guessModel({ ...world, machine: { ...machine, platform: 'darwin' } })).found?.name).toBe(
      'lmstudio/qwen3',
    )
  })
})
