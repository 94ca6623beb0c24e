import { expect, it } from 'vitest'
import { serversOf } from '../../src/acp/editor-servers.ts'

it('servers of an editor are worded as settings, over each transport', () => {
  const headers = [{ name: 'X-A', value: '1' }]
  expect(
    serversOf([
      { name: 'own', command: 'run', args: ['x'], env: [{ name: 'A', value: 'b' }] },
      { type: 'http', name: 'web', url: 'https://a.b/mcp', headers },
      { type: 'sse', name: 'old', url: 'https://a.b/sse', headers },
    ]),
  ).toEqual({
    own: { command: 'run', args: ['x'], env: { A: 'b' } },
    web: { type: 'http', url: 'https://a.b/mcp', headers: { 'X-A': '1' } },
    old: { type: 'sse', url: 'https://a.b/sse', headers: { 'X-A': '1' } },
  })
})
