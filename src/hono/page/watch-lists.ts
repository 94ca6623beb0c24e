import { errorText } from '../../error.ts'
import { listed, listedMore, reduceLists } from './lists.ts'
import type { PageParts } from './page-parts.ts'
import type { Api } from './wire/api.ts'
import { followLines } from './wire/follow.ts'

/** Sessions on a page of the list. */
const pageSize = 50

/** Keeps the lists up to date until the signal fires: reads them whenever the stream opens, as it tells only changes. */
export async function watchLists(
  { api, clock, lists, wakes }: PageParts,
  signal: AbortSignal,
): Promise<void> {
  let open = new AbortController()
  try {
    const stream = followLines(api, '/v1/events', { after: '', clock, signal, hope: wakes.hope })
    for await (const told of stream) {
      if (told.type === 'lines') lists.update((known) => told.lines.reduce(reduceLists, known))
      else {
        open.abort()
        open = new AbortController()
        lists.update((known) => ({ ...known, isConnected: told.type === 'open' }))
        if (told.type === 'open') void load(api, lists, AbortSignal.any([signal, open.signal]))
      }
    }
  } catch (error) {
    lists.update((known) => ({ ...known, fault: errorText(error) }))
  }
}

/** Lists more sessions, older than the known ones. */
export async function loadMore({ api, lists }: Pick<PageParts, 'api' | 'lists'>): Promise<void> {
  const { next } = lists.get()
  const sessions = await api.get(`/v1/sessions?limit=${pageSize}&before=${next}`)
  lists.update((known) => listedMore(known, sessions))
}

async function load(api: Api, lists: PageParts['lists'], signal: AbortSignal): Promise<void> {
  try {
    const [projects, sessions, tasks] = await Promise.all([
      api.get('/v1/projects', signal),
      api.get(`/v1/sessions?limit=${pageSize}`, signal),
      api.get('/v1/tasks', signal),
    ])
    lists.update((known) => listed(known, { projects, sessions, tasks }))
  } catch (error) {
    if (!signal.aborted) lists.update((known) => ({ ...known, fault: errorText(error) }))
  }
}
