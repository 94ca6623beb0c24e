import { type ReactElement, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { usePage } from '../page-parts.ts'
import type { QueuedText } from '../session/view-state.ts'
import { describeError } from '../wire/api.ts'
import type { SessionActions } from './session-actions.ts'
import { TextField } from './text-field.tsx'
import { useDraft, withoutSent } from './use-draft.ts'

interface ComposerProps {
  readonly place: string
  readonly isRunning: boolean
  /** The turn waits for an answer. */
  readonly isAsking: boolean
  readonly queue: readonly QueuedText[]
  readonly actions: SessionActions
}

/** Writes messages to a session: they begin a turn, steer the running one, or wait for its end. */
export function Composer({ place, isRunning, isAsking, queue, actions }: ComposerProps): ReactElement {
  const [draft, editDraft] = useDraft(place)
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const messageId = useMessageId()
  const attempt = async (act: () => Promise<void>) => {
    setSending(true)
    setFault('')
    try {
      await act()
    } catch (error) {
      setFault(describeError(error))
    } finally {
      setSending(false)
    }
  }
  const isEmpty = draft.trim() === ''
  const send = (when: 'now' | 'after') => {
    if (isEmpty || isSending) return
    void attempt(async () => {
      await actions.send(draft, messageId.of(draft), when)
      messageId.spend()
      editDraft(withoutSent(draft))
    })
  }
  const takeBack = (message: QueuedText) =>
    attempt(async () => {
      await actions.takeBack(message.id)
      editDraft((text) => [message.text, text].filter((part) => part.trim() !== '').join('\n\n'))
    })
  return (
    <footer className="composer">
      <div className="column">
        {isRunning ? (
          <div className="working">
            {isAsking ? null : <span className="spinner" />}
            <span className="subject" role="status">
              {isAsking ? 'Waiting for your answer' : 'Working'}
            </span>
            <button type="button" className="quiet stop" onClick={() => void attempt(actions.interrupt)}>
              <Icon name="stop" />
              Stop
            </button>
          </div>
        ) : null}
        <Queue queue={queue} isBusy={isSending} onTakeBack={(message) => void takeBack(message)} />
        {fault === '' ? null : (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <div className="field">
          <TextField
            value={draft}
            label={isRunning ? 'Steer the turn' : 'Message'}
            placeholder={isRunning ? 'Steer…' : 'Message…'}
            isFocused
            onChange={(text) => editDraft(() => text)}
            onEnter={() => send('now')}
          />
          {isRunning && !isEmpty ? (
            <button
              type="button"
              className="quiet"
              title="Send when this turn has ended"
              disabled={isSending}
              onClick={() => send('after')}
            >
              Later
            </button>
          ) : null}
          <button
            type="button"
            className="round primary"
            aria-label={isRunning ? 'Steer' : 'Send'}
            disabled={isEmpty || isSending}
            onClick={() => send('now')}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
    </footer>
  )
}

interface QueueProps {
  readonly queue: readonly QueuedText[]
  readonly isBusy: boolean
  onTakeBack(message: QueuedText): void
}

function Queue({ queue, isBusy, onTakeBack }: QueueProps): ReactElement | null {
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label="Waiting messages">
      {queue.map((message) => (
        <li key={message.id}>
          <span className="kind">{message.isLater ? 'Later' : 'Next'}</span>
          <span className="subject">{message.text}</span>
          <button type="button" className="quiet" disabled={isBusy} onClick={() => onTakeBack(message)}>
            Take back
          </button>
        </li>
      ))}
    </ul>
  )
}

interface MessageIds {
  of(draft: string): string
  /** The message has arrived: the same text is a new message from now on. */
  spend(): void
}

/** Gives each attempt to send a text the same id, so that one that only seemed to fail is delivered once. */
function useMessageId(): MessageIds {
  const { newId } = usePage()
  const last = useRef({ draft: '', id: '' })
  return {
    of: (draft) => {
      if (last.current.draft !== draft || last.current.id === '')
        last.current = { draft, id: newId.message() }
      return last.current.id
    },
    spend: () => {
      last.current = { draft: '', id: '' }
    },
  }
}
