import { describe, expect, it, onTestFinished } from 'vitest'
import { Hub } from '../../../src/hono/live/hub.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { scriptedBackend } from '../../support/live/served.ts'
import { openServedConversation } from '../../support/live/served-conversation.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { thrown } from '../../support/thrown.ts'

const project = { name: 'here', cwd: '/here' }
const minute = 60_000

/** Opens a hub that begins sessions with a silent model. */
function openHub(mostOpen?: number) {
  const clock = createHandClock()
  const newId = otherIds()
  const backend = scriptedBackend({ open: async () => openServedConversation(newId.session(), {}) })
  const hub = new Hub({ backend, clock, ...(mostOpen === undefined ? {} : { mostOpen }) })
  onTestFinished(() => hub.close())
  const begin = async () => {
    clock.advance(1)
    return hub.begin({ project })
  }
  return { hub, clock, begin, open: () => hub.all.map(({ id }) => id) }
}

describe('a conversation of the server', () => {
  it('is closed when nothing has used it for five minutes', async () => {
    const { hub, clock, begin, open } = openHub()
    const [unused, used, watched] = [await begin(), await begin(), await begin()]
    const leave = watched.addWatcher()
    clock.advance(4 * minute)
    await hub.open(used.id)
    clock.advance(minute)
    expect(open()).toEqual([used.id, watched.id])
    clock.advance(4 * minute)
    expect(open()).toEqual([watched.id])
    leave()
    clock.advance(5 * minute)
    expect(open()).toEqual([])
    expect(await thrown(() => unused.post({ text: 'late', when: 'now' }))).toMatchObject({ code: 'conflict' })
  })

  it('makes room for another where 200 are open: the one unused for longest is closed', async () => {
    const { hub, begin, open } = openHub()
    const all = []
    for (let count = 0; count < 200; count++) all.push(await begin())
    const [oldest, second] = all.map(({ id }) => id)
    await hub.open(oldest ?? '')
    const last = await begin()
    expect(open()).toEqual([...all.map(({ id }) => id).filter((id) => id !== second), last.id])
  })

  it('is kept while somebody watches it: a further one is refused then', async () => {
    const { hub, begin, open } = openHub(2)
    const all = [await begin(), await begin()]
    const [leave] = all.map((live) => live.addWatcher())
    expect(await thrown(begin)).toMatchObject({
      code: 'overloaded',
      message: '2 conversations are already open, and all are in use',
    })
    expect(open()).toEqual(all.map(({ id }) => id))
    leave?.()
    const next = await begin()
    expect(open()).toEqual([all[1]?.id, next.id])
    expect(hub.isWatched(next.id)).toBe(false)
  })

  it('is counted from its opening on, so that many at once stay within the limit', async () => {
    const { begin, open } = openHub(3)
    for (const live of [await begin(), await begin(), await begin()]) live.addWatcher()
    const refused = await Promise.all([begin, begin, begin].map((one) => thrown(one)))
    expect(refused.map((error) => Object(error).code)).toEqual(Array(3).fill('overloaded'))
    expect(open().length).toBe(3)
  })
})
