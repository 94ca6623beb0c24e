import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { errorText } from '../../../error.ts'
import { formatUsd } from '../../../frontend/words/amount.ts'
import { modeWords } from '../../../frontend/words/mode-words.ts'
import { permissionModes } from '../../../permission.ts'
import { usePage } from '../page-parts.ts'
import { QuestionCard } from '../question/question-card.tsx'
import { type Feed, noFeed, watchSession } from '../session/feed.ts'
import type { OpenCall } from '../session/page-entry.ts'
import { answerHere, forgetAnswer } from '../session/reduce.ts'
import { Store, useStore } from '../store.ts'
import { Live } from '../transcript/live.tsx'
import { TranscriptPane } from '../transcript/transcript.tsx'
import type { Question, Response } from '../wire/page-question.ts'
import type { ListedSession } from '../wire/rows.ts'
import { Bar } from './bar.tsx'
import { ChangesButton } from './changes.tsx'
import { Composer } from './composer.tsx'
import { DropDown } from './drop-down.tsx'
import { Fault } from './fault.tsx'
import { ModelField } from './model-field.tsx'
import { type SessionActions, sessionActions } from './session-actions.ts'
import { useSessionRow } from './use-session-row.ts'

/** A session: its transcript, its questions, and what the user writes. */
export function SessionPane({ id }: { readonly id: string }): ReactElement {
  const page = usePage()
  const row = useSessionRow(id)
  const actions = useMemo(() => sessionActions(page.api, id), [page.api, id])
  const store = useMemo(() => new Store<Feed>(noFeed, page.nextFrame), [page.nextFrame])
  const { view, connection, fault } = useStore(store)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    void watchSession(id, page, store, leaving.signal)
    return () => leaving.abort()
  }, [id, page, store])

  const respond = async (response: Response) => {
    const change = (changed: typeof answerHere) =>
      store.update((feed) => ({ ...feed, view: changed(feed.view, response.interaction_id) }))
    change(answerHere)
    try {
      await actions.respond(response)
    } catch (error) {
      change(forgetAnswer)
      throw error
    }
  }
  const stopElf = (name: string) =>
    void actions.stopElf(name).catch((error: unknown) => setTrouble(errorText(error)))

  const [question, ...others] = view.questions
  return (
    <div className="view session">
      <Bar title={row?.title ?? 'Session'} subtitle={row === undefined ? '' : factsOf(row, view.costUsd)}>
        <ChangesButton id={id} />
      </Bar>
      {connection === 'lost' && fault === '' ? (
        <p className="banner" role="status">
          Reconnecting…
        </p>
      ) : null}
      <Fault text={fault} isBanner />
      {trouble === '' ? null : (
        <p className="banner" role="status">
          {trouble}
          <button type="button" className="quiet" onClick={() => setTrouble('')}>
            OK
          </button>
        </p>
      )}
      <TranscriptPane last={view.transcript}>
        <Live
          reply={view.reply}
          calls={view.calls}
          elves={view.elves}
          isWaiting={view.isRunning && question === undefined}
          askedCall={askedCall(question, view.calls)}
          onStopElf={stopElf}
        />
      </TranscriptPane>
      {question === undefined ? null : (
        <QuestionCard key={question.id} question={question} others={others.length} answer={respond} />
      )}
      <Composer
        place={id}
        isConnected={connection === 'open'}
        isRunning={view.isRunning}
        isAsking={question !== undefined}
        isFocused={view.isLoaded && question === undefined}
        queue={view.queue}
        actions={actions}
        tools={
          row === undefined ? null : (
            <>
              <ModelField
                project={row.project}
                model={row.model}
                thinking={row.thinking}
                choose={actions.setModel}
                think={actions.setThinking}
              />
              <Mode mode={row.mode} actions={actions} onTold={setTrouble} />
            </>
          )
        }
      />
    </div>
  )
}

/** The call that a question is about. Where nobody tells it, the first that waits. */
function askedCall(question: Question | undefined, calls: readonly OpenCall[]): string {
  if (question === undefined) return ''
  return question.callId || (calls.find(({ state }) => state === 'waiting')?.id ?? '')
}

function factsOf({ project, agent }: ListedSession, costUsd: number | undefined): string {
  const cost = costUsd === undefined || costUsd === 0 ? '' : formatUsd(costUsd)
  return [project, agent, cost].filter((fact) => fact !== '').join(' · ')
}

interface ModeProps {
  readonly mode: string
  readonly actions: SessionActions
  onTold(words: string): void
}

/** The mode that asks about nothing. A slip of the thumb must not choose it. */
const loosest = 'bypass'

/** The permission mode, which can be changed. */
function Mode({ mode, actions, onTold }: ModeProps): ReactElement {
  const [isSure, setSure] = useState(true)
  const change = async (chosen: string) => {
    setSure(true)
    try {
      onTold(await actions.setMode(chosen))
    } catch (error) {
      onTold(errorText(error))
    }
  }
  if (!isSure)
    return (
      <fieldset className="confirm">
        <legend>Never ask?</legend>
        <button type="button" className="danger" onClick={() => void change(loosest)}>
          {loosest}
        </button>
        <button type="button" className="quiet" onClick={() => setSure(true)}>
          No
        </button>
      </fieldset>
    )
  const isKnown = permissionModes.some((one) => one === mode)
  return (
    <DropDown
      label="Permission mode"
      value={mode}
      onChoose={(chosen) => (chosen === loosest ? setSure(false) : void change(chosen))}
    >
      {isKnown ? null : <option value={mode}>{mode || 'mode'}</option>}
      {permissionModes.map((one) => (
        <option key={one} value={one}>
          {modeWords[one].short}
        </option>
      ))}
    </DropDown>
  )
}
