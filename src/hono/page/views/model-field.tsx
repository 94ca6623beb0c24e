import { type ReactElement, useEffect, useState } from 'react'
import { errorText } from '../../../error.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { Icon } from '../icon.tsx'
import { usePage } from '../page-parts.ts'
import {
  byProvider,
  modelLabel,
  type PageModel,
  type ProviderModels,
  readPageModels,
} from '../wire/page-model.ts'
import { Fault } from './fault.tsx'
import { PageDialog } from './page-dialog.tsx'
import { RowChoice } from './row-choice.tsx'

interface ModelFieldProps {
  readonly project: string
  /** `provider/model`; empty for the usual one. */
  readonly model: string
  /** The level of thinking; empty if the server of the model decides. */
  readonly thinking: string
  /** Throws `ApiError`. */
  choose(model: string): Promise<void>
  /** Throws `ApiError`. */
  think(level: string): Promise<void>
}

/** A button with the model in use, which opens the list of all. */
export function ModelField(props: ModelFieldProps): ReactElement {
  const { model, thinking } = props
  const [isOpen, setOpen] = useState(false)
  const name = model === '' ? 'Default model' : [modelLabel(model), thinking].join(' ').trim()
  return (
    <>
      <button
        type="button"
        className="quiet chosen-model"
        aria-haspopup="dialog"
        aria-label={`Model: ${name}`}
        onClick={() => setOpen(true)}
      >
        <span className="subject">{name}</span>
        <Icon name="fold" />
      </button>
      {isOpen ? <ModelDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ModelDialog({
  project,
  model,
  thinking,
  choose,
  think,
  onClose,
}: ModelFieldProps & { onClose(): void }): ReactElement {
  const { models, fault: unread } = useModels(project, model)
  const [words, setWords] = useState('')
  const [fault, setFault] = useState('')
  const attempt = async (change: () => Promise<void>) => {
    setFault('')
    try {
      await change()
    } catch (error) {
      setFault(errorText(error))
    }
  }
  const take = (name: string) =>
    attempt(async () => {
      // Opened again, the model would think as much as it does by itself.
      if (name !== model) await choose(name)
      onClose()
    })
  const levels = models?.find(({ name }) => name === model)?.levels ?? []
  const wanted = words.toLowerCase().trim()
  const found = models?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? []
  const usable = found.filter(({ missing }) => missing === '')
  const others = byProvider(found.filter(({ missing }) => missing !== ''))
  return (
    <PageDialog title="Which model?" onClose={onClose}>
      {levels.length === 0 ? null : (
        <section className="levels" aria-labelledby="thinking">
          <h3 id="thinking">How much should the model think?</h3>
          <RowChoice
            label="Thinking"
            chosen={thinking}
            options={levels.map((level) => [level, level])}
            onChoose={(level) => void attempt(() => think(level))}
          />
        </section>
      )}
      <input
        type="search"
        className="filter"
        aria-label="Search models"
        placeholder="Search…"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <Fault text={unread} />
      <Fault text={fault} />
      {models === undefined && unread === '' ? <p className="remark">Looking for models…</p> : null}
      {byProvider(usable).map(({ provider, models: usableOnes }) => (
        <section key={provider} aria-label={provider}>
          <h3>{provider}</h3>
          <ul className="models">
            {usableOnes.map((one) => (
              <ModelItem
                key={one.name}
                one={one}
                isCurrent={one.name === model}
                onTake={() => void take(one.name)}
              />
            ))}
          </ul>
        </section>
      ))}
      {others.length === 0 ? null : (
        <section aria-label="Not available now">
          <h3>Not available now</h3>
          <dl className="unusable">
            {others.map((group) => (
              <Unusable key={group.provider} group={group} isSearched={wanted !== ''} />
            ))}
          </dl>
        </section>
      )}
      {models !== undefined && found.length === 0 ? <p className="empty">No model matches.</p> : null}
    </PageDialog>
  )
}

function ModelItem({
  one: { id, facts },
  isCurrent,
  onTake,
}: {
  readonly one: PageModel
  readonly isCurrent: boolean
  onTake(): void
}): ReactElement {
  return (
    <li>
      <button type="button" aria-current={isCurrent ? 'true' : undefined} onClick={onTake}>
        <span className="subject">{id}</span>
        <span className="size">{facts}</span>
        {isCurrent ? <Icon name="check" /> : null}
      </button>
    </li>
  )
}

/** Says once for a provider why its models cannot be used. */
function Unusable({
  group: { provider, models },
  isSearched,
}: {
  readonly group: ProviderModels
  readonly isSearched: boolean
}): ReactElement {
  const reasons = [...new Set(models.map(({ missing }) => missing))].join('; ')
  const ids = models.map(({ id }) => id).filter((id) => id !== '…')
  const named = isSearched || ids.length < 3 ? ids.join(', ') : counted(ids.length, 'model')
  return (
    <div>
      <dt>{provider}</dt>
      <dd>
        {reasons}
        {named === '' ? null : <span className="muted">{named}</span>}
      </dd>
    </div>
  )
}

function useModels(project: string, current: string) {
  const { api } = usePage()
  const [models, setModels] = useState<readonly PageModel[]>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    const query = current === '' ? '' : `?current=${encodeURIComponent(current)}`
    api.get(`/v1/projects/${encodeURIComponent(project)}/models${query}`, leaving.signal).then(
      (answer) => setModels(readPageModels(answer)),
      (error: unknown) => {
        if (!leaving.signal.aborted) setFault(errorText(error))
      },
    )
    return () => leaving.abort()
  }, [api, project, current])
  return { models, fault }
}
