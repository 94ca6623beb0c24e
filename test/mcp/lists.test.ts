import { describe, expect, it, vi } from 'vitest'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { contentServer, openServers, realServer } from '../support/mcp/server-pool.ts'

describe('a list of a server', () => {
  it.each(['legacy', 'modern'] as const)(
    'that the server says has changed is asked for at the next call, which is judged anew: %s',
    async (era) => {
      const known = new Map([['real', { era, tools: {} }]])
      const { run, tools } = await openServers(
        [realServer(era === 'modern' ? 'modern' : 'both', { CHANGES: '1' })],
        { known },
      )
      await run('find_tools', { query: 'get_sum change' })
      await run('mcp__real__change')
      await vi.waitFor(async () =>
        expect(await run('mcp__real__get_sum', { a: 1, b: 2 })).toMatch(
          /^error: mcp__real__get_sum was not called: it has just changed/,
        ),
      )
      const changed = tools.tools().find(({ name }) => name === 'mcp__real__get_sum')
      expect(changed?.description).toMatch(/send all keys/)
      expect(changed?.consent).toBeDefined()
      expect(await run('mcp__real__get_sum', { a: 1, b: 2 }, { approved: true })).toMatch(/the sum is 3$/)
    },
  )

  it('is asked for anew at its next use after the time that it names, and not before', async () => {
    const clock = createHandClock()
    const { pool, attaching } = await openServers([contentServer('aged')], { clock })
    const server = pool.find('notes')
    const count = async () => (await server?.resources(attaching.signal))?.resources.at(-1)?.uri
    expect(await count()).toBe('notes://list-1')
    clock.advance(900)
    expect(await count()).toBe('notes://list-1')
    clock.advance(200)
    expect(await count()).toBe('notes://list-2')
  })
})
