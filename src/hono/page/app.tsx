import { type ReactElement, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { newlyAsking, openQuestions } from './lists.ts'
import { usePage } from './page-parts.ts'
import { addressOf, type PageRoute, readRoute } from './page-route.ts'
import { useStore } from './store.ts'
import { ListView } from './views/list-view.tsx'
import { NewView } from './views/new-view.tsx'
import { SessionPane } from './views/session-view.tsx'
import { TaskPane } from './views/task-view.tsx'
import { watchLists } from './watch-lists.ts'

/** The page: the list, and beside it or in its place what is open. */
export function App({ window }: { readonly window: Window }): ReactElement {
  const page = usePage()
  const route = readRoute(useHash(window))
  useEffect(() => {
    const leaving = new AbortController()
    void watchLists(page, leaving.signal)
    return () => leaving.abort()
  }, [page])
  const lists = useStore(page.lists)
  const count = openQuestions(lists)
  const seen = useRef(lists)
  useEffect(() => {
    const news = seen.current.isLoaded ? newlyAsking(seen.current, lists) : []
    seen.current = lists
    for (const { type, id, title } of news)
      page.notices.tell({
        title: 'pipe has a question',
        body: title,
        place: `${type} ${id}`,
        onOpen: () => window.location.assign(addressOf({ type, id })),
      })
  }, [page, lists, window])
  useEffect(() => {
    window.document.title = count === 0 ? 'pipe' : `(${count}) pipe`
  }, [window, count])
  const go = (next: PageRoute) => window.location.replace(addressOf(next))
  return (
    <div className={`app at-${route.type}`}>
      <aside>
        <ListView route={route} />
      </aside>
      <main>
        {route.type === 'session' ? (
          <SessionPane key={route.id} id={route.id} />
        ) : route.type === 'task' ? (
          <TaskPane key={route.id} id={route.id} />
        ) : (
          <NewView go={go} />
        )}
      </main>
    </div>
  )
}

/** Follows the part of the address behind `#`, which may change before anybody listens. */
function useHash(window: Window): string {
  const subscribe = useCallback(
    (tell: () => void) => {
      window.addEventListener('hashchange', tell)
      return () => window.removeEventListener('hashchange', tell)
    },
    [window],
  )
  return useSyncExternalStore(subscribe, () => window.location.hash)
}
