import { type ReactElement, useState } from 'react'
import { errorText } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import { text } from '../../../wire/json-fields.ts'
import { useFiles } from '../files/use-files.ts'
import { reduceLists } from '../lists.ts'
import { usePage } from '../page-parts.ts'
import type { PageRoute } from '../page-route.ts'
import { useStore } from '../store.ts'
import { Bar } from './bar.tsx'
import { DropDown } from './drop-down.tsx'
import { Fault } from './fault.tsx'
import { MessageBox } from './message-box.tsx'
import { ModelField } from './model-field.tsx'
import { filesField } from './session-actions.ts'
import { useDraft, withoutSent } from './use-draft.ts'

interface NewViewProps {
  go(route: PageRoute): void
}

/** Begins a session, or puts a task on the board. */
export function NewView({ go }: NewViewProps): ReactElement {
  const { api, lists } = usePage()
  const { projects } = useStore(lists)
  const [draft, editDraft] = useDraft('new')
  const choice = useFiles()
  const [chosen, setProject] = useState('')
  const [model, setModel] = useState('')
  const [thinking, setThinking] = useState('')
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const project = chosen || (projects[0]?.name ?? '')
  const hasFiles = choice.files.length > 0
  const isEmpty = draft.trim() === '' && !hasFiles
  const begin = async (type: 'session' | 'task') => {
    if (isEmpty || isSending) return
    setSending(true)
    setFault('')
    try {
      const more = type === 'session' ? { ...given({ thinking }), ...filesField(choice.files) } : {}
      const body: JsonObject = { text: draft, ...given({ project, model }), ...more }
      const row = await api.post(`/v1/${type}s`, body)
      lists.update((known) => reduceLists(known, { type, [type]: row }))
      editDraft(withoutSent(draft))
      go({ type, id: text(row[type === 'task' ? 'task_id' : 'id']) })
    } catch (error) {
      setFault(errorText(error))
      setSending(false)
    }
  }
  return (
    <div className="view new">
      <Bar title="New" />
      <div className="column start">
        <h2>What should pipe do?</h2>
        {projects.length < 2 ? null : (
          <div className="project">
            <span aria-hidden="true">Project</span>
            <DropDown label="Project" value={project} onChoose={setProject}>
              {projects.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </DropDown>
          </div>
        )}
        <MessageBox
          value={draft}
          label="Text"
          placeholder="Fix the failing test in…"
          isFocused
          isTall
          choice={choice}
          tools={
            project === '' ? null : (
              <ModelField
                project={project}
                model={model}
                thinking={thinking}
                choose={async (name) => {
                  setModel(name)
                  setThinking('')
                }}
                think={async (level) => setThinking(level)}
              />
            )
          }
          onChange={(text) => editDraft(() => text)}
          onEnter={() => void begin('session')}
        />
        <Fault text={fault || choice.fault} />
        <div className="answers">
          <button
            type="button"
            className="primary"
            disabled={isEmpty || isSending}
            onClick={() => void begin('session')}
          >
            Start a session
          </button>
          <button
            type="button"
            disabled={isEmpty || isSending || hasFiles}
            onClick={() => void begin('task')}
          >
            Add as a task
          </button>
        </div>
        <p className="remark">
          A session starts now, and you can watch it. A task waits on the board until a worker does it, in a
          folder of its own. Tasks take no files.
        </p>
      </div>
    </div>
  )
}

/** Returns the fields that have a value. */
function given(fields: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}
