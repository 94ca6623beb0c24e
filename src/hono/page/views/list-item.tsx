import type { ReactElement } from 'react'
import { formatAge } from '../../../frontend/words/age.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { addressOf } from '../page-route.ts'
import type { ListedSession, TaskRow } from '../wire/rows.ts'
import { statusNames } from './task-status.ts'

interface Shown {
  readonly now: number
  readonly isProjectShown: boolean
  readonly isCurrent: boolean
}

/** A session in the list. */
export function SessionItem({
  row,
  now,
  isProjectShown,
  isCurrent,
}: Shown & { readonly row: ListedSession }): ReactElement {
  const { id, title, questions, isRunning, updatedAt, project, model, outcome } = row
  const hasFailed = outcome === 'failed' && !isRunning && questions === 0
  const about = [isProjectShown ? project : '', model].filter(Boolean).join(' · ')
  return (
    <li>
      <a href={addressOf({ type: 'session', id })} aria-current={isCurrent ? 'page' : undefined}>
        <span className="title">{title}</span>
        <span className="age">{isRunning ? <Running /> : formatAge(updatedAt, now)}</span>
        <span className="about">
          {hasFailed ? <span className="failed">Failed · </span> : null}
          {about}
        </span>
        {questions === 0 ? null : <span className="badge">{counted(questions, 'question')}</span>}
      </a>
    </li>
  )
}

/** A task in the list. */
export function TaskItem({
  row,
  now,
  isProjectShown,
  isCurrent,
}: Shown & { readonly row: TaskRow }): ReactElement {
  const { id, title, status, updatedAt, project, isAsking } = row
  const isWorking = status === 'in_progress'
  const about = [isProjectShown ? project : '', statusNames[status] ?? status].filter(Boolean).join(' · ')
  return (
    <li>
      <a href={addressOf({ type: 'task', id })} aria-current={isCurrent ? 'page' : undefined}>
        <span className="title">{title}</span>
        <span className="age">{isWorking ? <Running /> : formatAge(updatedAt, now)}</span>
        <span className={`about ${status}`}>{about}</span>
        {isAsking ? <span className="badge">1 question</span> : null}
      </a>
    </li>
  )
}

function Running(): ReactElement {
  return <span className="spinner" role="img" aria-label="running" />
}
