import { expect, it } from 'vitest'
import { autoRoute } from '../../../src/config/models/auto-route.ts'

it.each([
  ['what is a monad?', 'fast', 'the request is short'],
  ['list the files in src', 'fast', 'the request is short'],
  ['prefix all names', 'fast', 'the request is short'],
  ['Why does this fail?', 'strong', 'the request says why'],
  ['Refactoring: split a.ts', 'strong', 'the request says refactoring'],
  ['please fix the test', 'strong', 'the request says fix'],
  ['x'.repeat(501), 'strong', 'the request is long'],
  [` ${'x'.repeat(500)} `, 'fast', 'the request is short'],
])('%j takes the route %s', (text, route, reason) => {
  expect(autoRoute({ text, hasAttachments: false })).toEqual({ route, reason })
})

it('takes the route strong for a request with files', () => {
  expect(autoRoute({ text: 'hi', hasAttachments: true })).toEqual({
    route: 'strong',
    reason: 'files or input come with the request',
  })
})
