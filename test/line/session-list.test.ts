import { expect, it } from 'vitest'
import { recentSessions } from '../../src/line/session-list.ts'
import type { SessionSummary } from '../../src/session.ts'
import { countingIds } from '../support/messages/ids.ts'

const ids = countingIds()

function session(title: string, model?: string): SessionSummary {
  const at = '2026-01-02T03:04:05.000Z'
  return { id: ids.session(), createdAt: at, updatedAt: at, title, ...(model !== undefined && { model }) }
}

async function* each(...sessions: readonly SessionSummary[]) {
  yield* sessions
}

const row = (number: number, title: string) => ` ${number}  2026-01-02 03:04  ${title}`

it('replays of recordings are hidden and counted, and do not take a number', async () => {
  const [a, b, c] = [session('fix it', 'acme/small'), session('demo', 'replay/a.json'), session('old')]
  expect(await recentSessions(each(a, b, c))).toEqual({
    ids: [a.id, c.id],
    text: [row(1, 'fix it'), row(2, 'old'), '    … 1 replay hidden; pipe sessions lists all of them'].join(
      '\n',
    ),
  })
})

it('replays are listed where nothing else is', async () => {
  const replay = session('demo', 'replay/a.json')
  const open = session('now', 'acme/small')
  expect(await recentSessions(each(open, replay), open.id)).toEqual({
    ids: [replay.id],
    text: row(1, 'demo'),
  })
})

it('shows one screen of sessions, and says that there are more', async () => {
  const many = Array.from({ length: 21 }, (_, i) => session(`task ${i}`, 'acme/small'))
  const { ids: listed, text } = await recentSessions(each(...many))
  expect(listed).toEqual(many.slice(0, 20).map(({ id }) => id))
  expect(text.split('\n').at(-1)).toBe('    … pipe sessions lists all of them')
})
