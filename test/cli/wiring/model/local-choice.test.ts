import type { RequestListener } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { localChoices, rankModels } from '../../../../src/cli/wiring/model/local-choice.ts'
import { createTransport } from '../../../../src/http/transport.ts'
import { omitUndefined } from '../../../../src/omit-undefined.ts'
import { createHandClock } from '../../../support/clocks/hand-clock.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { serve } from '../../../support/servers/web-server.ts'

const gb = 1_000_000_000

it('a model that calls tools and fits the memory comes first, the largest of these before others', () => {
  const server = { name: 'local' }
  const models = [
    { id: 'embed-text', bytes: gb, tools: true },
    { id: 'small', bytes: gb, tools: true },
    { id: 'talker', bytes: 3 * gb, tools: false },
    { id: 'silent' },
    { id: 'foreign', bytes: 6 * gb, tools: true, doubt: 'its owner is unknown' },
    { id: 'huge', bytes: 40 * gb, tools: true },
    { id: 'fit', bytes: 5 * gb, tools: true },
  ].map((model) => ({ ...model, server }))
  expect(rankModels(models, 8 * gb).map(({ name, why }) => `${name}: ${why}`)).toEqual([
    'local/fit: it calls tools, and its 5.0 GB fit into the 8.0 GB of memory here',
    'local/small: it calls tools, and its 1.0 GB fit into the 8.0 GB of memory here',
    'local/huge: it calls tools, but its 40 GB may not fit into the 8.0 GB of memory here',
    'local/silent: the server does not say whether it calls tools',
    'local/talker: it calls no tools, so it can only talk, and its 3.0 GB fit into the 8.0 GB of memory here',
    'local/foreign: it calls tools, and its 6.0 GB fit into the 8.0 GB of memory here; its owner is unknown',
  ])
})

it('a server is asked what its models can do; one that does not say is offered by its names', async () => {
  const tags = {
    models: [
      { name: 'plain', size: gb },
      { name: 'able', size: 2 * gb },
    ],
  }
  const answer: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const shown = { capabilities: body.includes('able') ? ['completion', 'tools'] : ['completion'] }
      response.end(JSON.stringify(request.url === '/api/show' ? shown : tags))
    })
  }
  const { url: ollama } = await serve(answer)
  const { url: studio } = await serve((_, response) => response.end('{"data":[{"id":"a/b"}]}'))
  const transport = createTransport()
  onTestFinished(() => transport.close())
  const nowhere = { base_url: 'http://127.0.0.1:1/v1' }
  const search = {
    settings: {
      providers: {
        ollama: { base_url: ollama },
        lmstudio: { base_url: `${studio}/v1` },
        llamacpp: nowhere,
        vllm: nowhere,
      },
    },
    machine: {
      ...quietHost('/', { clock: createHandClock(), ...omitUndefined({ uid: process.getuid?.() }) }),
      memory: 8 * gb,
    },
    transport,
    signal: new AbortController().signal,
  }
  expect((await localChoices(search)).map(({ name }) => name)).toEqual([
    ...['ollama/able', 'lmstudio/a/b', 'ollama/plain'],
  ])
  expect(await localChoices({ ...search, settings: { ...search.settings, local: false } })).toEqual([])
})
