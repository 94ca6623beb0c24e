import { expect, it } from 'vitest'
import { readPageModels } from '../../../src/hono/page/wire/page-model.ts'

it.each([
  [{ context_window: 200_000, price: { input: 3, output: 15 } }, '200k tokens · $3 / $15'],
  [{ price: { input: 0.15, output: 0.6 }, images: false }, '$0.15 / $0.60 · no images'],
  [{ price: { input: 0, output: 0 } }, 'free'],
  [{}, ''],
])('a model is offered with its window and price: %j', (sent, facts) => {
  const [model] = readPageModels({ models: [{ name: 'acme/large', thinking: ['off'], ...sent }] })
  const about = { name: 'acme/large', provider: 'acme', id: 'large', levels: ['off'], missing: '' }
  expect(model).toEqual({ ...about, facts })
})
