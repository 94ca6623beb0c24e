import { type ReactElement, useState } from 'react'
import type { JsonObject } from '../../../json-value.ts'
import { text } from '../../../wire/json-fields.ts'
import { reduceLists } from '../lists.ts'
import { usePage } from '../page-parts.ts'
import type { PageRoute } from '../page-route.ts'
import { useStore } from '../store.ts'
import { describeError } from '../wire/api.ts'
import { Bar } from './bar.tsx'
import { TextField } from './text-field.tsx'
import { useDraft, withoutSent } from './use-draft.ts'

interface NewViewProps {
  go(route: PageRoute): void
}

/** Begins a session, or puts a task on the board. */
export function NewView({ go }: NewViewProps): ReactElement {
  const { api, lists } = usePage()
  const { projects } = useStore(lists)
  const [draft, editDraft] = useDraft('new')
  const [chosen, setProject] = useState('')
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const project = chosen || (projects[0]?.name ?? '')
  const isEmpty = draft.trim() === ''
  const begin = async (type: 'session' | 'task') => {
    if (isEmpty || isSending) return
    setSending(true)
    setFault('')
    try {
      const body: JsonObject = { text: draft, ...(project === '' ? {} : { project }) }
      const row = await api.post(`/v1/${type}s`, body)
      lists.update((known) => reduceLists(known, { type, [type]: row }))
      editDraft(withoutSent(draft))
      go({ type, id: text(row[type === 'task' ? 'task_id' : 'id']) })
    } catch (error) {
      setFault(describeError(error))
      setSending(false)
    }
  }
  return (
    <div className="view new">
      <Bar title="New" />
      <div className="column start">
        <h2>What should be done?</h2>
        {projects.length < 2 ? null : (
          <label className="project">
            Project
            <select value={project} onChange={({ target }) => setProject(target.value)}>
              {projects.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <div className="field tall">
          <TextField
            value={draft}
            label="Text"
            placeholder="Fix the failing test in…"
            isFocused
            onChange={(text) => editDraft(() => text)}
            onEnter={() => void begin('session')}
          />
        </div>
        {fault === '' ? null : (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <div className="answers">
          <button
            type="button"
            className="primary"
            disabled={isEmpty || isSending}
            onClick={() => void begin('session')}
          >
            Start a session
          </button>
          <button type="button" disabled={isEmpty || isSending} onClick={() => void begin('task')}>
            Add as a task
          </button>
        </div>
        <p className="remark">
          A session begins at once and you watch it. A task goes to the board, and a worker does it in a
          folder of its own.
        </p>
      </div>
    </div>
  )
}
