import { type ReactElement, useEffect, useState } from 'react'
import { errorText } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import { isOver } from '../../../task.ts'
import { list, object, text } from '../../../wire/json-fields.ts'
import { usePage } from '../page-parts.ts'
import { addressOf } from '../page-route.ts'
import { QuestionCard } from '../question/question-card.tsx'
import { useStore } from '../store.ts'
import { Diff } from '../transcript/diff.tsx'
import { type Question, readPageQuestion } from '../wire/page-question.ts'
import { readTaskRow, type TaskRow } from '../wire/rows.ts'
import { Bar } from './bar.tsx'
import { Confirm } from './confirm.tsx'
import { Fault } from './fault.tsx'
import { statusNames } from './task-status.ts'

interface Details {
  readonly task: TaskRow
  readonly facts: readonly (readonly [string, string])[]
  readonly log: readonly string[]
  readonly question: Question | undefined
}

/** A task: its status, its question, its work, and what happened to it. */
export function TaskPane({ id }: { readonly id: string }): ReactElement {
  const { api } = usePage()
  const { details, fault: unread } = useDetails(id)
  const [told, setTold] = useState<{ readonly text: string; readonly isFault: boolean } | undefined>(
    undefined,
  )
  const [isBusy, setBusy] = useState(false)
  const command = async (body: JsonObject) => api.post(`/v1/tasks/${id}/commands`, body)
  const act = async (body: JsonObject) => {
    setBusy(true)
    setTold(undefined)
    try {
      const report = text((await command(body))['report'])
      setTold(report === '' ? undefined : { text: report, isFault: false })
    } catch (error) {
      setTold({ text: errorText(error), isFault: true })
    } finally {
      setBusy(false)
    }
  }
  if (details === undefined)
    return (
      <div className="view task">
        <Bar title="Task" />
        <Fault text={unread} isBanner />
      </div>
    )
  const { task, facts, log, question } = details
  const status = statusNames[task.status] ?? task.status
  return (
    <div className="view task">
      <Bar title={task.title} subtitle={<span className={`status ${task.status}`}>{status}</span>} />
      <Fault text={unread} isBanner />
      <div className="scroller">
        <div className="transcript">
          <div className="column">
            <article className="prompt">
              <p>{task.intent}</p>
            </article>
            {task.summary === '' ? null : <p className="summary-text">{task.summary}</p>}
            {task.reason === '' ? null : <p className="note error">{task.reason}</p>}
            {told === undefined ? null : (
              <p className={told.isFault ? 'fault' : 'report'} role={told.isFault ? 'alert' : 'status'}>
                {told.text}
              </p>
            )}
            <div className="answers">
              {task.status === 'done' ? (
                <Confirm
                  label="Apply"
                  question="Apply these changes to the project?"
                  style="primary"
                  isDisabled={isBusy}
                  onConfirm={() => void act({ type: 'apply' })}
                />
              ) : null}
              {isOver(task) ? null : (
                <Confirm
                  label="Cancel the task"
                  question="Cancel this task?"
                  style="danger"
                  isDisabled={isBusy}
                  onConfirm={() => void act({ type: 'cancel' })}
                />
              )}
              {task.sessionId === '' ? null : (
                <a className="button" href={addressOf({ type: 'session', id: task.sessionId })}>
                  Open its session
                </a>
              )}
            </div>
            {isOver(task) ? <Work id={id} /> : null}
            <dl className="facts">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Log lines={log} />
          </div>
        </div>
      </div>
      {question === undefined ? null : (
        <QuestionCard
          key={question.id}
          question={question}
          others={0}
          answer={async (response) => void (await command({ type: 'respond', response }))}
        />
      )}
    </div>
  )
}

/** Reads a task, and again whenever its row in the list changes or the server is back. */
function useDetails(id: string): { readonly details: Details | undefined; readonly fault: string } {
  const { api, lists } = usePage()
  const { tasks, isConnected } = useStore(lists)
  const row = tasks.find((task) => task.id === id)
  const [details, setDetails] = useState<Details | undefined>(undefined)
  const [fault, setFault] = useState('')
  const seq = row?.seq
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer row and a server that is back mean newer details
  useEffect(() => {
    const leaving = new AbortController()
    api.get(`/v1/tasks/${id}`, leaving.signal).then(
      (answer) => {
        setDetails(readDetails(answer))
        setFault('')
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setFault(errorText(error))
      },
    )
    return () => leaving.abort()
  }, [api, id, seq, isConnected])
  return { details, fault }
}

function readDetails(answer: JsonObject): Details {
  const question = object(answer['question'])
  return {
    task: readTaskRow(object(answer['task']) ?? {}),
    facts: list(answer['facts']).map((fact) => [text(list(fact)[0]), text(list(fact)[1])]),
    log: list(answer['log']).map(text),
    question: question === undefined ? undefined : readPageQuestion(question),
  }
}

/** Shows the diff of a task, which is fetched when it is opened. */
function Work({ id }: { readonly id: string }): ReactElement {
  const { api } = usePage()
  const [diff, setDiff] = useState<string | undefined>(undefined)
  const [fault, setFault] = useState('')
  useEffect(() => {
    api.text(`/v1/tasks/${id}/diff`).then(setDiff, (error: unknown) => setFault(errorText(error)))
  }, [api, id])
  if (fault !== '') return <Fault text={fault} />
  if (diff === undefined) return <p className="remark">Loading its changes…</p>
  return diff === '' ? <p className="remark">It has changed no files.</p> : <Diff diff={diff} />
}

function Log({ lines }: { readonly lines: readonly string[] }): ReactElement {
  const keyed = lines.map((line, place) => ({ line, key: String(place) }))
  return (
    <ol className="log" aria-label="Log">
      {keyed.map(({ line, key }) => (
        <li key={key}>{line}</li>
      ))}
    </ol>
  )
}
