import { expect, it } from 'vitest'
import { createCatalog } from '../../../../src/catalog/catalog.ts'
import { openRouting } from '../../../../src/cli/wiring/model/routing.ts'
import { createTransport } from '../../../../src/http/transport.ts'
import { quietHost } from '../../../support/conversations/host.ts'

it('lets models for embeddings and summaries answer nothing', async () => {
  const settings = {
    routes: { embedding: 'it/vectors', summary: 'it/short', fast: 'it/fast' },
    providers: { it: { base_url: 'http://127.0.0.1:1/v1' } },
  }
  const routing = await openRouting(
    { route: [] },
    {
      settings,
      choices: { interactive: false },
      session: undefined,
      machine: quietHost('/'),
      transport: createTransport(),
      signal: new AbortController().signal,
      catalog: async () => createCatalog({ models: {} }),
    },
  )
  expect(routing?.candidates.map(({ name }) => name)).toEqual(['it/fast'])
  expect(routing?.fallback).toEqual([])
})
