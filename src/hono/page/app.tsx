import { type ReactElement, useEffect, useState } from 'react'
import { openQuestions } from './lists.ts'
import { usePage } from './page-parts.ts'
import { addressOf, type Route, readRoute } from './route.ts'
import { useStore } from './store.ts'
import { ListView } from './views/list-view.tsx'
import { NewView } from './views/new-view.tsx'
import { SessionView } from './views/session-view.tsx'
import { TaskView } from './views/task-view.tsx'
import { watchLists } from './watch-lists.ts'

/** The page: the list, and beside it or in its place what is open. */
export function App({ window }: { readonly window: Window }): ReactElement {
  const page = usePage()
  const [route, setRoute] = useState(() => readRoute(window.location.hash))
  useEffect(() => {
    const follow = () => setRoute(readRoute(window.location.hash))
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [window])
  useEffect(() => {
    const leaving = new AbortController()
    void watchLists(page, leaving.signal)
    return () => leaving.abort()
  }, [page])
  const count = openQuestions(useStore(page.lists))
  useEffect(() => {
    window.document.title = count === 0 ? 'pipe' : `(${count}) pipe`
  }, [window, count])
  const go = (next: Route) => window.location.replace(addressOf(next))
  return (
    <div className={`app at-${route.type}`}>
      <aside>
        <ListView route={route} />
      </aside>
      <main>
        {route.type === 'session' ? (
          <SessionView key={route.id} id={route.id} />
        ) : route.type === 'task' ? (
          <TaskView key={route.id} id={route.id} />
        ) : (
          <NewView go={go} />
        )}
      </main>
    </div>
  )
}
