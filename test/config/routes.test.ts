import { expect, it } from 'vitest'
import { readRoute } from '../../src/config/routes.ts'

it.each([
  ['fast', 'groq/openai/gpt-oss-120b:low'],
  ['constructor', undefined],
  ['slow', undefined],
])('the route %s is %s', (name, expected) => {
  expect(readRoute(name, { routes: { fast: 'groq/openai/gpt-oss-120b:low' } })).toBe(expected)
})

it('finds no route if none is set', () => {
  expect(readRoute('fast', {})).toBeUndefined()
})
