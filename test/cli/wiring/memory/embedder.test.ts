import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/cli/system-clock.ts'
import { openChosenEmbedder } from '../../../../src/cli/wiring/memory/embedder.ts'
import type { Clock } from '../../../../src/clock.ts'
import type { Settings } from '../../../../src/config/settings.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { openEmbeddingServer } from '../../../support/models/embedding-server.ts'
import { serve } from '../../../support/servers/web-server.ts'
import { thrown } from '../../../support/thrown.ts'

const { signal } = new AbortController()

async function open(settings: Settings, env: Record<string, string> = {}, slept: number[] = []) {
  const clock: Clock = { ...systemClock, sleep: async (ms) => void slept.push(ms) }
  return openChosenEmbedder(quietHost(await folderWith(), { clock, env }), settings)
}

async function openOwn(model = 'it/small', slept: number[] = []) {
  const embeddings = await openEmbeddingServer([['car', 'automobile']])
  const settings = {
    routes: { embedding: model },
    providers: {
      it: { base_url: `${embeddings.url}/v1`, api_key_env: 'IT_KEY' },
      local: { base_url: embeddings.url, dialect: 'ollama' as const },
    },
  }
  const embedder = await open(settings, { IT_KEY: 'key-of-the-server' }, slept)
  return { ...embeddings, embedder, embed: async (...texts: string[]) => embedder?.embed(texts, { signal }) }
}

const vector = (...values: number[]) => Float32Array.from(values)

describe('the model for embeddings', () => {
  it('is none unless a route names it', async () => {
    expect(await open({})).toBeUndefined()
    expect(await open({ routes: { fast: 'it/small' } })).toBeUndefined()
  })

  it.each([
    ['it/small', '/v1/embeddings', 'small', 'Bearer key-of-the-server'],
    ['local/nomic:latest', '/api/embed', 'nomic:latest', undefined],
  ])('makes a vector of each text, in order: %s', async (name, path, model, authorization) => {
    const { embedder, embed, requests } = await openOwn(name)
    expect(embedder?.model).toBe(name)
    expect(await embed('a tree', 'my car')).toEqual([vector(0, 1), vector(1, 0)])
    expect(requests).toEqual([{ path, model, authorization, input: ['a tree', 'my car'] }])
    expect(await embed()).toEqual([])
  })

  it('sends some texts at a time, redacted and cut', async () => {
    const { embed, requests } = await openOwn()
    const vectors = await embed(...Array.from({ length: 33 }, (_, i) => `text ${i}`), 'x'.repeat(9_000))
    expect(vectors).toHaveLength(34)
    expect(requests.map(({ input }) => input.length)).toEqual([32, 2])
    expect(requests[1]?.input[1]).toHaveLength(8_000)
    await embed('the key is key-of-the-server, password=hunter2hunter2')
    expect(requests.at(-1)?.input).toEqual(['the key is [redacted], password=[redacted]'])
  })

  it('gets a connection of its own for each call, and none stays open between them', async () => {
    const { embed, connections } = await openOwn()
    await embed(...Array.from({ length: 33 }, (_, i) => `text ${i}`))
    expect(connections()).toBe(1)
    await embed('car')
    expect(connections()).toBe(2)
  })

  it('is asked again after a failure that may pass, twice', async () => {
    const slept: number[] = []
    const { embed, requests, fail } = await openOwn('it/small', slept)
    fail({ status: 503, body: '{}' }, { status: 429, body: '{"error":{"message":"slowly"}}' })
    expect(await embed('car')).toEqual([vector(1, 0)])
    expect(slept).toEqual([500, 1_000])
    fail(...Array.from({ length: 3 }, () => ({ status: 500, body: '{"error":"out of order"}' })))
    expect(await thrown(() => embed('car'))).toMatchObject({
      code: 'overloaded',
      message: 'it failed (500): out of order',
    })
    fail({ status: 401, body: '{"error":{"message":"who?"}}' })
    expect(await thrown(() => embed('car'))).toMatchObject({ code: 'auth' })
    expect(requests).toHaveLength(7)
  })

  it('gets shorter texts if its window is small', async () => {
    const { embed, requests, fail } = await openOwn()
    const tooLong = { status: 400, body: '{"error":{"message":"maximum context length is 512 tokens"}}' }
    fail(tooLong, tooLong)
    await embed('y'.repeat(9_000))
    await embed('y'.repeat(9_000))
    expect(requests.map(({ input }) => input[0]?.length)).toEqual([8_000, 4_000, 2_000, 2_000])
  })

  it.each([
    ['{"data":[]}', 'with a vector for each text'],
    ['{"data":[{"embedding":[]}]}', 'with a vector for each text'],
    ['{"data":[{"embedding":[1,null,"x"]}]}', 'with a vector for each text'],
    ['{"data":[{"index":0}]}', 'with a vector for each text'],
    ['<html>', 'a web page'],
  ])('reports an answer that holds no vectors: %s', async (body, said) => {
    const { url } = await serve((_, response) => response.end(body))
    const embedder = await open({
      routes: { embedding: 'it/small' },
      providers: { it: { base_url: `${url}/v1` } },
    })
    expect(await thrown(() => embedder?.embed(['car'], { signal }))).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining(said),
    })
  })

  it('stops at an abort', async () => {
    const stop = new AbortController()
    const { url } = await serve(() => stop.abort())
    const embedder = await open({
      routes: { embedding: 'it/small' },
      providers: { it: { base_url: `${url}/v1` } },
    })
    const embedding = embedder?.embed(['car'], { signal: stop.signal })
    expect(await thrown(() => embedding)).toMatchObject({ code: 'aborted' })
  })

  it.each([
    ['anthropic/claude', 'anthropic has no embeddings: routes.embedding takes a model of a server'],
    ['replay/x', 'with one of these dialects: openai-chat, openai-responses, ollama'],
    [['it/a', 'it/b'], 'routes.embedding takes one model'],
    ['nobody/x', 'unknown provider nobody'],
  ])('is refused where it cannot be: %s', async (embedding, said) => {
    const error = await thrown(() => open({ routes: { embedding } }, { ANTHROPIC_API_KEY: 'k' }))
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining(said) })
  })

  it('needs the key of its server', async () => {
    const error = await thrown(() => open({ routes: { embedding: 'openai/small' } }))
    expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('OPENAI_API_KEY') })
  })
})
