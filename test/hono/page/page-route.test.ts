import { expect, it } from 'vitest'
import { readPath } from '../../../src/hono/page/page-route.ts'

it.each([
  ['/', '/', { type: 'list' }],
  ['/pipe/', '/pipe/', { type: 'list' }],
  ['/sessions/0190ab', '/', { type: 'session', id: '0190ab' }],
  ['/a/pipe/sessions/0190ab', '/a/pipe/', { type: 'session', id: '0190ab' }],
  ['/pipe/tasks/task_1', '/pipe/', { type: 'task', id: 'task_1' }],
])('finds the home of the page and what it shows: %s', (path, home, route) => {
  expect(readPath(path)).toEqual({ home, route })
})
