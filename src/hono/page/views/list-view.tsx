import { type ReactElement, useEffect, useState } from 'react'
import { errorText } from '../../../error.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { Icon } from '../icon.tsx'
import { type Lists, openQuestions } from '../lists.ts'
import { usePage } from '../page-parts.ts'
import type { PageRoute } from '../page-route.ts'
import { useStore } from '../store.ts'
import { loadMore } from '../watch-lists.ts'
import { Bar } from './bar.tsx'
import { Fault } from './fault.tsx'
import { SessionItem, TaskItem } from './list-item.tsx'
import { NoticeButton } from './notice-button.tsx'
import { RowChoice } from './row-choice.tsx'

/** The sessions and tasks of this server, those that wait for an answer first. */
export function ListView({ route }: { readonly route: PageRoute }): ReactElement {
  const { lists: store } = usePage()
  const lists = useStore(store)
  const [project, setProject] = useState('')
  const [kind, setKind] = useState<Kind>('sessions')
  const now = useNow()
  const inProject = <T extends { readonly project: string }>(rows: readonly T[]) =>
    rows.filter((row) => project === '' || row.project === project)
  const [sessions, tasks] = [inProject(lists.sessions), inProject(lists.tasks)]
  const asking = {
    sessions: sessions.filter(({ questions }) => questions > 0),
    tasks: tasks.filter(({ isAsking }) => isAsking),
  }
  const shown = { now, isProjectShown: lists.projects.length > 1 && project === '' }
  const current = 'id' in route ? route.id : ''
  return (
    <div className="view list">
      <Bar title="pipe" hasBack={false}>
        <NoticeButton />
        <a className="round primary" href="#/new" aria-label="New session or task">
          <Icon name="plus" />
        </a>
      </Bar>
      <State lists={lists} />
      <nav className="rows" aria-label="Sessions and tasks">
        {lists.projects.length < 2 ? null : (
          <RowChoice
            label="Project"
            chosen={project}
            options={[['', 'All'], ...lists.projects.map(({ name }) => [name, name] as const)]}
            onChoose={setProject}
          />
        )}
        {openQuestions(lists) === 0 ? null : (
          <section aria-labelledby="asking">
            <h2 id="asking" className="asking">
              Waiting for you
            </h2>
            <ul>
              {asking.sessions.map((row) => (
                <SessionItem key={row.id} row={row} isCurrent={row.id === current} {...shown} />
              ))}
              {asking.tasks.map((row) => (
                <TaskItem key={row.id} row={row} isCurrent={row.id === current} {...shown} />
              ))}
            </ul>
          </section>
        )}
        <RowChoice
          label="Kind"
          chosen={kind}
          options={[
            ['sessions', 'Sessions'],
            ['tasks', tasks.length === 0 ? 'Tasks' : `Tasks · ${tasks.length}`],
          ]}
          onChoose={(chosen) => setKind(chosen === 'tasks' ? 'tasks' : 'sessions')}
        />
        <ul>
          {kind === 'sessions'
            ? sessions
                .filter(({ questions }) => questions === 0)
                .map((row) => (
                  <SessionItem key={row.id} row={row} isCurrent={row.id === current} {...shown} />
                ))
            : tasks
                .filter(({ isAsking }) => !isAsking)
                .map((row) => <TaskItem key={row.id} row={row} isCurrent={row.id === current} {...shown} />)}
        </ul>
        {kind === 'sessions' && lists.next !== '' ? <More /> : null}
        {lists.isLoaded && (kind === 'sessions' ? sessions : tasks).length === 0 ? (
          <p className="empty">No {kind} yet.</p>
        ) : null}
      </nav>
    </div>
  )
}

type Kind = 'sessions' | 'tasks'

function State({ lists }: { readonly lists: Lists }): ReactElement | null {
  const count = openQuestions(lists)
  if (lists.fault !== '') return <Fault text={lists.fault} isBanner />
  if (!lists.isConnected)
    return (
      <p className="banner" role="status">
        Reconnecting…
      </p>
    )
  return count === 0 ? null : (
    <p className="visually-hidden" role="status">
      {counted(count, 'question')} {count === 1 ? 'waits' : 'wait'} for you
    </p>
  )
}

/** Loads more sessions when it is asked to. */
function More(): ReactElement {
  const page = usePage()
  const [fault, setFault] = useState('')
  const load = async () => {
    try {
      await loadMore(page)
    } catch (error) {
      setFault(errorText(error))
    }
  }
  return (
    <>
      <Fault text={fault} />
      <button type="button" className="more" onClick={() => void load()}>
        Show more
      </button>
    </>
  )
}

/** Milliseconds between two readings of the clock, as ages are shown to the minute. */
const tickMs = 30_000

/** Returns the time in milliseconds since 1970, and draws again as it passes. */
function useNow(): number {
  const { clock } = usePage()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => clock.every(tickMs, () => setNow(clock.now())), [clock])
  return now
}
