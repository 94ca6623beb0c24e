import { expect, it } from 'vitest'
import { listPage } from '../../src/acp/session-page.ts'
import { countingIds } from '../support/messages/ids.ts'

async function* summaries(count: number) {
  const ids = countingIds()
  for (let i = 0; i < count; i++)
    yield {
      id: ids.session(),
      cwd: '/w',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    }
}

it('lists page after page, each session once', async () => {
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await listPage(summaries(120), cursor)
    seen.push(...page.sessions.map((session) => session.sessionId))
    cursor = page.nextCursor
  } while (cursor != null)
  expect([seen.length, new Set(seen).size]).toEqual([120, 120])
})

it('refuses a cursor whose session is gone', async () => {
  await expect(listPage(summaries(3), 'gone')).rejects.toThrow('start listing from the beginning')
})
