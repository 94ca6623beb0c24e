import { errorText } from '../../../error.ts'
import type { PageParts } from '../page-parts.ts'
import type { Store } from '../store.ts'
import { ApiError } from '../wire/api.ts'
import { followLines } from '../wire/follow.ts'
import { readElves } from './page-elves.ts'
import { reduceLine } from './reduce.ts'
import { emptyView, type SessionView } from './view-state.ts'

/** A session that the page watches. */
export interface Feed {
  readonly view: SessionView
  readonly connection: 'connecting' | 'open' | 'lost'
  /** Why it cannot be watched; empty if it can. */
  readonly fault: string
}

export const noFeed: Feed = { view: emptyView, connection: 'connecting', fault: '' }

/** Watches a session until the signal fires, while the page is visible. */
export async function watchSession(
  id: string,
  { api, clock, wakes }: Pick<PageParts, 'api' | 'clock' | 'wakes'>,
  feed: Store<Feed>,
  signal: AbortSignal,
): Promise<void> {
  let after = ''
  try {
    await wakes.whileVisible(signal, async (visible) => {
      const path = `/v1/sessions/${id}`
      await seedElves(path, api, feed)
      for await (const told of followLines(api, `${path}/events`, {
        after,
        clock,
        signal: visible,
        hope: wakes.hope,
      })) {
        if (told.type === 'lines') {
          after = told.last
          feed.update((known) => ({ ...known, view: told.lines.reduce(reduceLine, known.view) }))
        } else feed.update((known) => ({ ...known, connection: told.type }))
      }
    })
  } catch (error) {
    if (!signal.aborted) feed.update((known) => ({ ...known, fault: errorText(error) }))
  }
}

/** Learns the elves at work, whose events come among those of their parent. */
async function seedElves(path: string, api: PageParts['api'], feed: Store<Feed>): Promise<void> {
  try {
    const elves = readElves(await api.get(`${path}/elves`))
    const known = new Set(feed.get().view.elves.map((elf) => elf.id))
    const missed = elves.filter((elf) => !known.has(elf.id))
    feed.update((now) => ({ ...now, view: { ...now.view, elves: [...now.view.elves, ...missed] } }))
  } catch (error) {
    // The event stream, which is asked for next, reports every fault of the session itself.
    if (!(error instanceof ApiError)) throw error
  }
}
