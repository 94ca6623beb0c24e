import { describe, expect, it } from 'vitest'
import { serveParts } from '../../support/live/served.ts'
import { openServedConversation } from '../../support/live/served-conversation.ts'
import { otherIds } from '../../support/messages/ids.ts'

interface Listed {
  readonly sessions: readonly { readonly id: string }[]
  readonly next?: string
}

/** Serves this many sessions without a message, and returns their ids. */
async function serveBegun(count: number) {
  const newId = otherIds()
  const { call } = await serveParts({ open: async () => openServedConversation(newId.session(), {}) })
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { json } = await call('POST', '/v1/sessions')
    ids.push((json as { readonly id: string }).id)
  }
  const list = async (query: string) => (await call('GET', `/v1/sessions?${query}`)).json as Listed
  return { call, ids, list }
}

describe('a list of sessions', () => {
  it('has those without a message first, the newest of them before all, and goes on behind them', async () => {
    const { call, ids, list } = await serveBegun(3)
    const first = await list('limit=2')
    const second = await list(`limit=2&before=${first.next}`)
    expect([first.sessions.length, second.sessions.length, second.next]).toEqual([2, 1, undefined])
    expect([...first.sessions, ...second.sessions].map(({ id }) => id)).toEqual([...ids].reverse())
    const { agents } = (await call('GET', '/v1/agents?limit=2')).json as {
      readonly agents: Listed['sessions']
    }
    expect(agents).toEqual(first.sessions.map(({ id }) => expect.objectContaining({ id })))
  })
})

describe('a query', () => {
  const limit = 'expected a whole number from 1 to 500'

  it.each([
    ['/v1/sessions?before=NONSENSE', 'before', 'expected the `next` of an earlier list'],
    ['/v1/sessions?before=', 'before', 'expected the `next` of an earlier list'],
    ['/v1/sessions?parent=NONSENSE', 'parent', 'expected a session of this server'],
    ['/v1/sessions?limit=x', 'limit', limit],
    ['/v1/sessions?limit=', 'limit', limit],
    ['/v1/sessions?limit=501', 'limit', limit],
    ['/v1/sessions?project=', 'project', 'is empty'],
    ['/v1/sessions?project=other', 'project', 'is none of project'],
    ['/v1/agents?limit=1.5', 'limit', limit],
    ['/v1/sessions/1/diff?turns=x', 'turns', 'expected one of last, all'],
    ['/v1/tasks?project=other', 'project', 'is none of project'],
    ['/v1/sessions/1/events?after=NONSENSE', 'after', 'expected the id of an event'],
    ['/v1/sessions/1/events?after=', 'after', 'expected the id of an event'],
    ['/v1/tasks/1/events?after=x', 'after', 'expected the id of an event'],
  ])('with a bad value is refused, with the name and what it takes: %s', async (path, field, reason) => {
    const { call } = await serveBegun(1)
    const { status, json } = await call('GET', path)
    expect([status, json]).toEqual([
      400,
      { code: 'INVALID_REQUEST', message: `${field}: ${reason}`, details: { field, reason } },
    ])
  })
})
