import { expect, it } from 'vitest'
import { readModelRoute } from '../../../src/config/models/route-models.ts'

it.each([
  ['fast', ['groq/openai/gpt-oss-120b:low']],
  ['strong', ['openai/a', 'anthropic/b']],
  ['constructor', []],
  ['slow', []],
])('the route %s is %j', (name, expected) => {
  const routes = { fast: 'groq/openai/gpt-oss-120b:low', strong: ['openai/a', 'anthropic/b'] }
  expect(readModelRoute(name, { routes })).toEqual(expected)
})

it('finds no route if none is set', () => {
  expect(readModelRoute('fast', {})).toEqual([])
})
